//! Tables as they are declared: created, compared with what is there, and written out.

mod created;
mod patient;
mod patterns;
mod program;
mod same;
mod samples;
mod served;
mod slow;
mod verified;
mod written;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::TableDescription;
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

/// Every option that a table has.
#[derive(DynaTable)]
#[dyna(
    name = "library-{stage}",
    pk = "pk",
    sk = number("no"),
    tag = "kind",
    ttl = "goneAt",
    stream = "keys_only",
    index(by_title, name = "title-index", pk = "title", projection = "keys_only"),
    index(by_shelf, pk = ["hall", "shelf"], sk = [number("row"), "place"], projection = include("title", "kind"), billing = provisioned(read = 2, write = 1)),
    local_index(by_year, sk = number("year")),
    billing = provisioned(read = 4, write = 3),
    table_class = "infrequent_access",
    deletion_protection,
    point_in_time_recovery,
    encryption = "aws_managed",
    resource_tags(team = "books", "cost-center" = "42"),
)]
enum Library {
    /// What can be lent.
    Book(Book),
}

/// A book, and where it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Library,
    pk = "<isbn>",
    sk = "<no>",
    by_title(pk = "<title>"),
    by_shelf(pk = ["<hall>", "<shelf>"], sk = ["<row>", "<place>"]),
    by_year(pk = "<isbn>", sk = "<year>"),
)]
struct Book {
    #[dyna(key_only)]
    isbn: String,
    no: u32,
    title: String,
    hall: Option<String>,
    shelf: String,
    row: u8,
    place: String,
    year: u16,
    /// When it may be thrown away.
    gone_at: Option<u64>,
}

/// A book that is with a reader: a table of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "loans", pk = "pk", sk = "sk", index(by_reader, pk = "reader")),
    pk = "BOOK#<isbn>",
    sk = "SINCE#<since:len=24>#<reader>",
    by_reader(as = of_reader, pk = "<reader>"),
)]
struct Loan {
    isbn: String,
    reader: String,
    /// When it was lent: RFC 3339, `T` and `Z` | included.
    since: String,
    notes: Vec<String>,
}

/// What other formats could take for their own: `a|b`, <script>alert("x")</script> ${HOME} $(id) %{if} it's & \ *.
#[derive(DynaTable)]
#[dyna(
    name = "odd-{stage}",
    pk = "p|k",
    sk = "s'k",
    tag = "`kind`",
    ttl = "gone  \"at\"",
    index(one, name = "One.index", pk = "${x}", sk = "%{y}", projection = include("a|b", "it's", "<i>")),
    resource_tags("path:$(id)" = "it's `x` ${y} \"z\" \\"),
)]
enum Odd {
    Class(Class),
    End(End),
}

/// <img src=x onerror=alert(1)>, [`Odd`] and the row | of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Odd,
    pk = "<<b>#<pk>",
    sk = "'$(id)' \"$HOME`|<r#type>",
    one(pk = "$x#<fk>", sk = "%i\\<r#type>"),
)]
struct Class {
    pk: String,
    r#type: String,
    fk: Option<String>,
    /// `a|b` | </td><script>alert(1)</script> *open
    #[serde(rename = "it's")]
    uk: Vec<u8>,
}

/// There is one of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Odd, pk = "END", sk = "END")]
struct End {
    größe: u8,
}

async fn described(client: &Client, name: &str) -> TableDescription {
    let table = client.describe_table().table_name(name).send().await;
    table.unwrap().table.unwrap()
}
