//! Opening a table in the in-process engine.

use super::create::create_or_verify;
use crate::embedded::{Embedded, check_runtime};
use crate::error::Result;
use crate::table::{DynaTable, Table};

impl<T: DynaTable> Table<T> {
    /// Opens the table in a new in-process engine, where it is created. Needs a tokio runtime, as the AWS SDK does.
    pub async fn embedded() -> Result<Self> {
        Self::embedded_in(&Embedded::in_memory()?).await
    }

    /// Opens the table in an in-process engine of yours, where it is created. Variables of its name have the value `embedded`.
    pub async fn embedded_in(engine: &Embedded) -> Result<Self> {
        check_runtime()?;
        let table = Self::open(engine.client()).with_all_variables("embedded");
        #[cfg(feature = "streams")]
        let table = table.with_streams_client(engine.streams_client());
        // Nobody else has anything in this engine, so that also a part of a table can be tested.
        create_or_verify(table.client(), Self::SCHEMA, table.name()?).await?;
        Ok(table)
    }
}
