//! A table that was created by one declaration, compared with another one of the same name.

use dyna_runtime::embedded::Embedded;
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

macro_rules! variants {
    ($($name:ident: ($($options:tt)*);)*) => {$(
        #[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
        #[dyna(table(name = "variants", pk = "id", sk = "no", $($options)*), pk = "<id>", sk = "<no>")]
        struct $name {
            id: String,
            no: String,
        }
    )*};
}

variants! {
    Plain: ();
    Wide: (index(wide, pk = ["a", "b"], sk = ["c", number("d")]));
    WideTurned: (index(wide, pk = ["b", "a"], sk = ["c", number("d")]));
    WideSplit: (index(wide, pk = ["a", "b", "c"], sk = number("d")));
    WideText: (index(wide, pk = ["a", "b"], sk = ["c", "d"]));
    Global: (index(second, pk = "id", sk = "at"));
    Local: (local_index(second, sk = "at"));
    LocalKeys: (local_index(second, sk = "at", projection = "keys_only"));
    LocalNumber: (local_index(second, sk = number("at")));
    LocalIncluded: (local_index(second, sk = "at", projection = include("x", "y")));
    LocalOther: (local_index(second, sk = "at", projection = include("y", "z")));
    Provisioned: (index(second, pk = "at"), billing = provisioned(read = 4, write = 3));
    Faster: (index(second, pk = "at", billing = provisioned(read = 5, write = 6)), billing = provisioned(read = 4, write = 3));
    Managed: (encryption = "aws_managed");
    Protected: (deletion_protection, table_class = "infrequent_access");
}

/// How the table of `F` differs from the declaration `D`, and whether requests suffer.
async fn differences<D: DynaTable, F: DynaTable>() -> (Vec<String>, bool) {
    let engine = Embedded::in_memory().unwrap();
    dyna_runtime::Table::<F>::embedded_in(&engine)
        .await
        .unwrap();
    let declared = dyna_runtime::Table::<D>::open(engine.client());
    let found = declared.differences().await.unwrap();
    let lines = found.iter().map(ToString::to_string).collect();
    (lines, !found.breaking().is_empty())
}

/// One line, which breaks requests.
async fn breaks<D: DynaTable, F: DynaTable>(line: &str) {
    assert_eq!(differences::<D, F>().await, (vec![line.to_owned()], true));
}

#[tokio::test]
async fn several_attributes_in_a_key() {
    breaks::<Wide, WideTurned>(
        "key of index `wide`: declared partition a (S) + b (S), sort c (S) + d (N), found partition b (S) + a (S), sort c (S) + d (N)",
    )
    .await;
    breaks::<Wide, WideSplit>(
        "key of index `wide`: declared partition a (S) + b (S), sort c (S) + d (N), found partition a (S) + b (S) + c (S), sort d (N)",
    )
    .await;
    breaks::<Wide, WideText>(
        "key of index `wide`: declared partition a (S) + b (S), sort c (S) + d (N), found partition a (S) + b (S), sort c (S) + d (S)",
    )
    .await;
}

#[tokio::test]
async fn local_indexes() {
    breaks::<Local, Plain>(
        "index `second`: declared local index: partition id (S), sort at (S), with all attributes, not there",
    )
    .await;
    breaks::<Local, LocalKeys>(
        "projection of index `second`: declared all attributes, found the keys",
    )
    .await;
    breaks::<LocalIncluded, LocalOther>(
        "projection of index `second`: declared the keys and x, y, found the keys and y, z",
    )
    .await;
    breaks::<Local, LocalNumber>(
        "key of index `second`: declared partition id (S), sort at (S), found partition id (S), sort at (N)",
    )
    .await;
    let undeclared =
        "index `second`: not declared, found local index: partition id (S), sort at (S)";
    assert_eq!(
        differences::<Plain, Local>().await,
        (vec![undeclared.to_owned()], false)
    );
}

#[tokio::test]
async fn global_index_differs_from_local_index() {
    breaks::<Local, Global>("index `second`: declared local index, found global index").await;
    breaks::<Global, Local>("index `second`: declared global index, found local index").await;
}

#[tokio::test]
async fn settings() {
    for (found, lines) in [
        (
            differences::<Provisioned, Faster>().await,
            vec![
                "throughput of index `second`: declared 4 read and 3 write units, found 5 read and 6 write units",
            ],
        ),
        (
            differences::<Managed, Plain>().await,
            vec!["encryption: declared the KMS key of the account, found a key owned by AWS"],
        ),
        (
            differences::<Protected, Plain>().await,
            vec![
                "table class: declared STANDARD_INFREQUENT_ACCESS, found STANDARD",
                "deletion protection: declared on, found off",
            ],
        ),
    ] {
        let lines: Vec<_> = lines.into_iter().map(ToOwned::to_owned).collect();
        assert_eq!(found, (lines, false));
    }
}

#[tokio::test]
async fn a_key_of_kms_that_is_not_declared() {
    let (lines, breaks) = differences::<Plain, Managed>().await;
    let [line] = lines.as_slice() else {
        panic!("{lines:?}")
    };
    let start = "encryption: declared a key owned by AWS, found ";
    assert!(
        line.starts_with(start) && line.contains("KMS key"),
        "{line}"
    );
    assert!(!breaks);
}
