//! The examples in the documentation of the derives compile, and run where they read.

macro_rules! examples {
    ($($name:ident)*) => {$(
        #[allow(dead_code, unreachable_pub, reason = "an example shows more than it uses")]
        mod $name {
            include!(concat!("../../../dyna-derive/docs/", stringify!($name), ".rs"));
        }
    )*};
}

examples! { collection entity fields key_part projection table }

#[tokio::test]
async fn the_examples_of_the_derives_read_an_empty_table() -> dyna_runtime::Result<()> {
    let users = fields::User::embedded().await?;
    assert!(fields::named(&users).await?.is_empty());
    let mail = projection::Mail::embedded().await?;
    assert!(projection::heads(&mail).await?.is_empty());
    let bank = collection::Bank::embedded().await?;
    assert!(collection::startup(&bank).await?.is_empty());
    let shop = table::Shop::embedded().await?;
    assert!(table::every_item(&shop).await?.is_empty());
    Ok(())
}
