//! What crosses the crates; the tests are in `tests/`.

/// The code of the README runs.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

/// So does that of the pages about tables of other libraries.
#[cfg(doctest)]
pub mod tables {
    #[doc = include_str!("../../docs/tables/boto3.md")]
    pub struct Boto3;

    #[doc = include_str!("../../docs/tables/dynamodb-toolbox.md")]
    pub struct DynamodbToolbox;

    #[doc = include_str!("../../docs/tables/electrodb.md")]
    pub struct Electrodb;

    #[doc = include_str!("../../docs/tables/java-enhanced-client.md")]
    pub struct JavaEnhancedClient;

    #[doc = include_str!("../../docs/tables/modyne.md")]
    pub struct Modyne;

    #[doc = include_str!("../../docs/tables/onetable.md")]
    pub struct Onetable;

    #[doc = include_str!("../../docs/tables/serde_dynamo.md")]
    pub struct SerdeDynamo;
}
