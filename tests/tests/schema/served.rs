//! `create_table` on a server, where `tests/schema/validate` compares its tables with those of the other forms.

use super::{Library, Loan};
use dyna_examples::Engine;

#[tokio::test]
async fn tables_are_created_on_a_server() {
    let Ok(url) = std::env::var("DYNA_ENDPOINT") else {
        return;
    };
    let engine = Engine::at(&url).unwrap();
    let library = Library::open(engine.client().clone()).with("stage", "test");
    let loans = Loan::open(engine.client().clone());
    // Again, because it can be repeated.
    for _ in 0..2 {
        library.create_table().await.unwrap();
        loans.create_table().await.unwrap();
    }
    assert_eq!(
        library.verify().await.unwrap().to_string(),
        "table `library-test` is as declared"
    );
}
