//! `create_table` on a server, where `tests/schema/validate` compares its tables with those of the other forms.

use super::{Library, Loan, Odd};
use dyna_examples::Engine;

#[tokio::test]
#[ignore = "needs the server at DYNA_ENDPOINT: tests/schema/validate runs it"]
async fn tables_are_created_on_a_server() {
    let url = std::env::var("DYNA_ENDPOINT").unwrap();
    let engine = Engine::at(&url).unwrap();
    let library = Library::open(engine.client().clone()).with_variable("stage", "test");
    let loans = Loan::open(engine.client().clone());
    library.create_table().await.unwrap();
    let odd = Odd::open(engine.client().clone()).with_variable("stage", "test");
    odd.create_table().await.unwrap();
    // Again, because it can be repeated.
    for _ in 0..2 {
        loans.create_table().await.unwrap();
    }
    assert!(loans.differences().await.unwrap().is_empty());
    assert!(odd.differences().await.unwrap().is_empty());
    let differences = library.differences().await.unwrap();
    let differences: Vec<_> = differences.iter().map(ToString::to_string).collect();
    // moto does not keep the class of a table.
    let known = ["table class: declared STANDARD_INFREQUENT_ACCESS, found STANDARD"];
    assert!(
        differences.is_empty() || differences == known,
        "{differences:?}"
    );
}
