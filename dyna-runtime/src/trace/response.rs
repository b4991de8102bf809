//! The summary of a response, for its span.

use serde::Deserialize;

/// The members of a response besides its items, which are skipped.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct ResponseSummary {
    pub(super) count: Option<i64>,
    pub(super) scanned_count: Option<i64>,
    consumed_capacity: Option<OneOrMore>,
    #[serde(rename = "__type")]
    error: Option<String>,
}

/// The consumed capacity of a request; batches and transactions return it per table.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(Consumed),
    More(Vec<Consumed>),
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Consumed {
    table_name: Option<String>,
    capacity_units: Option<f64>,
}

impl ResponseSummary {
    /// Reads the body of a response; one that is not understood says nothing.
    pub(super) fn read(body: &[u8]) -> Self {
        serde_json::from_slice(body).unwrap_or_default()
    }

    /// The error code: `ThrottlingException`.
    pub(super) fn error_code(&self) -> Option<&str> {
        let code = self.error.as_deref()?;
        Some(code.rsplit_once('#').map_or(code, |(_, code)| code))
    }

    /// The consumed capacity of each table, as JSON.
    pub(super) fn capacity(&self) -> Vec<String> {
        let all = match &self.consumed_capacity {
            None => &[][..],
            Some(OneOrMore::One(one)) => std::slice::from_ref(one),
            Some(OneOrMore::More(more)) => more,
        };
        all.iter()
            .map(|consumed| {
                let table = consumed.table_name.as_deref().unwrap_or_default();
                let units = consumed.capacity_units.unwrap_or_default();
                format!(r#"{{"TableName":"{table}","CapacityUnits":{units}}}"#)
            })
            .collect()
    }
}
