//! The examples in the documentation of the derives compile, and run where they read.

macro_rules! examples {
    ($($name:ident)*) => {$(
        #[allow(dead_code, unreachable_pub, reason = "an example shows more than it uses")]
        mod $name {
            include!(concat!("../../../dyna-derive/docs/", stringify!($name), ".rs"));
        }
    )*};
}

examples! { collection delimiters entity fields indexes key_part partial projection shared table variants }

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
    let accounts = shared::Accounts::embedded().await?;
    let name = || "acme".to_owned();
    let organization = shared::Organization {
        name: name(),
        seats: 3,
    };
    organization.create().send(&accounts).await?;
    let user = shared::User { name: name() };
    let error = shared::save(&user, &accounts).await.unwrap_err();
    assert!(error.is_condition_failed());
    let shop = delimiters::Shop::embedded().await?;
    let order = delimiters::Order {
        shop: "a|b".to_owned(),
        number: 1,
        email: "ann#1@x.org".to_owned(),
    };
    order.create().send(&shop).await?;
    assert_eq!(delimiters::orders_of(&shop).await?, [order]);
    let shop = partial::Shop::embedded().await?;
    let error = partial::set_mail(&shop, "ann", "a@x").await.unwrap_err();
    assert!(error.is_condition_failed());
    Ok(())
}
