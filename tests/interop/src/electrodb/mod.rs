//! A shop that `ElectroDB` writes: `electrodb.mjs` has the same model.

pub mod company;

use crate::Model;
use company::{
    Badge, Contract, Employee, Leave, Log, Meeting, Note, Office, Seat, Shift, Skill1, Skill2, Task,
};
use dyna_runtime::{DynaEntity, DynaTable, KeyPart, Result, Table};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The table.
#[derive(Debug, DynaTable)]
#[dyna(
    name = "electrodb-{copy}",
    pk = "pk",
    sk = "sk",
    tag = "__edb_e__",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
    index(gsi2, pk = "gsi2pk", sk = "gsi2sk")
)]
pub enum Shop {
    /// `Customer`
    Customer(Customer),
    /// `LineItem`
    Line(LineItem),
    /// `Parcel`
    Parcel(Parcel),
    /// `Store`
    Store(Store),
    /// `Order`
    Order(Order),
    /// `Stock`
    Stock(Stock),
    /// `Employee`
    Employee(Employee),
    /// `Office`
    Office(Office),
    /// `Task`
    Task(Task),
    /// `Meeting`
    Meeting(Meeting),
    /// `Badge`
    Badge(Badge),
    /// `Log`
    Log(Log),
    /// `Contract`
    Contract(Contract),
    /// `Skill1`
    Skill1(Skill1),
    /// `Skill2`
    Skill2(Skill2),
    /// `Leave`
    Leave(Leave),
    /// `Seat`
    Seat(Seat),
    /// `Note`
    Note(Note),
    /// `Shift`
    Shift(Shift),
}

/// The attribute `__edb_v__` of version 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
enum V1 {
    /// `"1"`
    #[default]
    #[serde(rename = "1")]
    V1,
}

/// The attribute `__edb_v__` of version 2.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
enum V2 {
    /// `"2"`
    #[default]
    #[serde(rename = "2")]
    V2,
}

/// A customer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Shop,
    pk = "$shop#customerid_<customer_id|lower>",
    sk = "$account#customer_1",
    gsi1(as = by_email, pk = "$shop#email_<email|lower>", sk = "$customer_1"),
    gsi2(as = by_referrer, pk = "$shop#referrer_<referrer|lower>", sk = "$customer_1"),
)]
pub struct Customer {
    #[serde(rename = "__edb_v__")]
    version: V1,
    customer_id: String,
    #[serde(rename = "mail")]
    email: String,
    name: Option<Name>,
    tier: Option<Tier>,
    #[serde(default, with = "dyna_runtime::serde::string_set")]
    tags: Option<BTreeSet<String>>,
    visits: Option<u64>,
    notes: Option<Vec<String>>,
    active: Option<bool>,
    referrer: Option<String>,
    #[dyna(created_at)]
    #[serde(with = "dyna_runtime::serde::rfc3339")]
    created_at: Timestamp,
    #[dyna(updated_at)]
    #[serde(with = "dyna_runtime::serde::rfc3339")]
    updated_at: Timestamp,
}

/// The name of a customer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Name {
    first: Option<String>,
    last: Option<String>,
}

/// What a customer pays for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Tier {
    Basic,
    Gold,
}

/// An order. `ElectroDB` ends a key where an attribute is missing: `<shipped_on?>`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Shop,
    pk = "$shop#customerid_<customer_id|lower>",
    sk = "$account#order_1#orderid_<order_id|lower>",
    gsi1(as = by_status, pk = "$shop#status_<status>", sk = "$order_1#shippedon_<shipped_on?>"),
    gsi2(as = by_carrier, pk = "$shop#carrier_<carrier?|lower>", sk = "$order_1#total_<total:plain>"),
)]
pub struct Order {
    #[serde(rename = "__edb_v__")]
    version: V1,
    customer_id: String,
    order_id: String,
    status: Status,
    total: u64,
    shipped_on: Option<String>,
    carrier: Option<String>,
    priority: Option<bool>,
}

/// How far an order is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "lowercase")]
enum Status {
    Open,
    Paid,
    Sent,
}

/// What a store has of a product. It is in the index only while it is short: `condition`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Shop,
    pk = "$shop#storeid_<store_id|lower>#sku_<sku|lower>",
    sk = "$stock_1#frozen_<frozen|self::word>#shelf_<shelf:plain>",
    gsi2(
        as = shortage,
        pk = "$shop#storeid_<store_id|lower>",
        sk = "$stock_1#sku_<sku|lower>",
        when = Self::is_short
    ),
)]
pub struct Stock {
    #[serde(rename = "__edb_v__")]
    version: V1,
    store_id: String,
    sku: String,
    frozen: bool,
    shelf: u64,
    count: u32,
}

impl Stock {
    fn is_short(&self) -> bool {
        self.count < 10
    }
}

/// A boolean as it stands in a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, KeyPart)]
#[serde(rename_all = "lowercase")]
enum Word {
    False,
    True,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "functions of templates take references"
)]
fn word(value: &bool) -> Word {
    if *value { Word::True } else { Word::False }
}

/// An item of an order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Shop,
    pk = "$shop#orderid_<order_id|lower>",
    sk = "$items#lines#lineitem_1#line_<line:05>",
    gsi1(as = by_sku, pk = "$shop#sku_<sku|lower>", sk = "$lineitem_1#orderid_<order_id|lower>#line_<line:05>"),
)]
pub struct LineItem {
    #[serde(rename = "__edb_v__")]
    version: V1,
    order_id: String,
    line: u32,
    sku: String,
    quantity: u32,
}

/// A parcel of an order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Shop,
    pk = "$shop#orderid_<order_id|lower>",
    sk = "$items#parcel_1#parcelid_<parcel_id|lower>",
)]
pub struct Parcel {
    #[serde(rename = "__edb_v__")]
    version: V1,
    order_id: String,
    parcel_id: String,
    weight: Option<f64>,
}

/// A store, under templates of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Shop,
    pk = "STORE#<country|upper>",
    sk = "CITY#<city>#<store_id>",
    gsi1(as = by_id, pk = "$shop#storeId_<store_id>", sk = "$store_2#c_<country|lower>"),
)]
pub struct Store {
    #[serde(rename = "__edb_v__")]
    version: V2,
    country: String,
    city: String,
    store_id: String,
    opened: Option<String>,
}

impl Model for Shop {
    const LIBRARY: &'static str = "electrodb";

    async fn read_all(db: &Table<Self>) -> Result<Vec<Self>> {
        Self::scan().consistent().all(db).await
    }

    async fn write_back(self, db: &Table<Self>) -> Result<()> {
        match self {
            Self::Customer(customer) => customer.put().send(db).await,
            Self::Line(line) => line.put().send(db).await,
            Self::Parcel(parcel) => parcel.put().send(db).await,
            Self::Store(store) => store.put().send(db).await,
            Self::Order(order) => order.put().send(db).await,
            Self::Stock(stock) => stock.put().send(db).await,
            Self::Employee(it) => it.put().send(db).await,
            Self::Office(it) => it.put().send(db).await,
            Self::Task(it) => it.put().send(db).await,
            Self::Meeting(it) => it.put().send(db).await,
            Self::Badge(it) => it.put().send(db).await,
            Self::Log(it) => it.put().send(db).await,
            Self::Contract(it) => it.put().send(db).await,
            Self::Skill1(it) => it.put().send(db).await,
            Self::Skill2(it) => it.put().send(db).await,
            Self::Leave(it) => it.put().send(db).await,
            Self::Seat(it) => it.put().send(db).await,
            Self::Note(it) => it.put().send(db).await,
            Self::Shift(it) => it.put().send(db).await,
        }
    }

    async fn change(db: &Table<Self>) -> Result<()> {
        let gone = Customer::update("C-1").set(Customer::TIER, Tier::Basic);
        gone.add(Customer::VISITS, 1).send(db).await?;
        let moved = Customer::update("C-2").set_by_email("Bob@Example.org");
        moved.send(db).await?;
        if let Some(order) = Order::get("C-1", "O-1").send(db).await? {
            Order::update_loaded(&order)
                .set(Order::STATUS, Status::Sent)
                .set(Order::SHIPPED_ON, "2026-11-18".to_owned())
                .set(Order::CARRIER, "Bike".to_owned())
                .send(db)
                .await?;
        }
        if let Some(stock) = Stock::get("S-1", "Tea-01", false, 3).send(db).await? {
            let less = Stock::update_loaded(&stock).set(Stock::COUNT, 9);
            less.send(db).await?;
        }
        LineItem::delete("O-1", 12).send(db).await?;
        let customer = Customer {
            version: V1::V1,
            customer_id: "C-3".into(),
            email: "Cy@example.com".into(),
            name: Some(Name {
                first: Some("Cy".into()),
                last: None,
            }),
            tags: Some(BTreeSet::from(["new".into()])),
            tier: None,
            visits: None,
            notes: None,
            active: None,
            referrer: None,
            created_at: Timestamp::UNIX_EPOCH,
            updated_at: Timestamp::UNIX_EPOCH,
        };
        customer.create().send(db).await?;
        let (version, order_id) = (V1::V1, "O-4".to_owned());
        let order = Order {
            version,
            customer_id: "C-3".into(),
            order_id: order_id.clone(),
            status: Status::Open,
            total: 350,
            shipped_on: None,
            carrier: None,
            priority: None,
        };
        order.create().send(db).await?;
        let stock = Stock {
            version,
            store_id: "S-3".into(),
            sku: "Tea-01".into(),
            frozen: false,
            shelf: 1,
            count: 5,
        };
        stock.create().send(db).await?;
        let line = LineItem {
            version,
            order_id: order_id.clone(),
            line: 2,
            sku: "Tea-01".into(),
            quantity: 1,
        };
        line.create().send(db).await?;
        Parcel {
            version,
            order_id,
            parcel_id: "P-9".into(),
            weight: None,
        }
        .create()
        .send(db)
        .await?;
        let store = Store {
            version: V2::V2,
            country: "de".into(),
            city: "Bonn".into(),
            store_id: "S-3".into(),
            opened: None,
        };
        store.create().send(db).await?;
        company::promote(db).await
    }
}
