//! Reading answers: their items from the bytes, and the rest by the SDK.

use super::body::NewItems;
use super::hook::{Hook, Parsed};
use super::raw::Raw;
use crate::codec::Item;
use crate::codec::wire::{self, Place, Rest, Split, Take, Watch};
use crate::error::{Error, Result, of_service};
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimePlugin};
use aws_sdk_dynamodb::error::BoxError;
use aws_sdk_dynamodb::operation as op;
use aws_smithy_runtime_api::client::interceptors::context::{Error as Erased, Output};
use aws_smithy_runtime_api::client::orchestrator::{HttpResponse, OrchestratorError};
use aws_smithy_runtime_api::client::ser_de::{DeserializeResponse, SharedResponseDeserializer};
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::config_bag::FrozenLayer;
use bytes::Bytes;
use std::error::Error as StdError;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::LazyLock;

/// An answer of the SDK that may hold items.
pub(crate) trait Answer: Debug + Sized + Send + Sync + 'static {
    /// Where they are.
    const PLACE: Place;

    /// An answer that says nothing.
    fn empty() -> Self;

    /// What the SDK's own parser makes of a response.
    fn parse(response: &HttpResponse, config: &ConfigBag) -> Parsed;

    /// The operation's own error, as the SDK would return it.
    fn error(error: OrchestratorError<Erased>) -> Error;

    /// The items that the SDK's own parser found, in order.
    fn take_items(&mut self) -> Vec<Option<Item>>;

    /// Says how many items there are, if it can.
    fn set_count(&mut self, count: i32);
}

macro_rules! answers {
    ($($module:ident::$operation:ident $output:ident $error:ident $place:expr, |$answer:ident| $items:expr $(, $count:ident)?;)*) => {$(
        impl Answer for op::$module::$output {
            const PLACE: Place = $place;

            fn empty() -> Self {
                Self::builder().build()
            }

            fn parse(response: &HttpResponse, config: &ConfigBag) -> Parsed {
                static CONFIG: LazyLock<Option<FrozenLayer>> =
                    LazyLock::new(|| op::$module::$operation::new().config());
                match CONFIG.as_ref().and_then(|config| config.load::<SharedResponseDeserializer>()) {
                    Some(parser) => parser.deserialize_nonstreaming_with_config(response, config),
                    None => Err(OrchestratorError::other(OTHER)),
                }
            }

            fn error(error: OrchestratorError<Erased>) -> Error {
                of_service(own_error(error, op::$module::$error::unhandled))
            }

            fn take_items(&mut self) -> Vec<Option<Item>> {
                let $answer = self;
                $items
            }

            fn set_count(&mut self, _count: i32) {
                $(self.$count = _count;)?
            }
        }
    )*};
}

answers! {
    get_item::GetItem GetItemOutput GetItemError Place::One("Item"), |answer| one(answer.item.take());
    put_item::PutItem PutItemOutput PutItemError Place::One("Attributes"), |answer| one(answer.attributes.take());
    update_item::UpdateItem UpdateItemOutput UpdateItemError Place::One("Attributes"), |answer| one(answer.attributes.take());
    delete_item::DeleteItem DeleteItemOutput DeleteItemError Place::One("Attributes"), |answer| one(answer.attributes.take());
    query::Query QueryOutput QueryError Place::Many("Items"), |answer| many(answer.items.take()), count;
    scan::Scan ScanOutput ScanError Place::Many("Items"), |answer| many(answer.items.take()), count;
    batch_get_item::BatchGetItem BatchGetItemOutput BatchGetItemError Place::PerTable, |answer| {
        let tables = answer.responses.take().into_iter().flatten();
        tables.flat_map(|(_, items)| items).map(Some).collect()
    };
    transact_get_items::TransactGetItems TransactGetItemsOutput TransactGetItemsError Place::Each, |answer| {
        let items = answer.responses.take().into_iter().flatten();
        items.map(|response| response.item).collect()
    };
}

fn one(item: Option<Item>) -> Vec<Option<Item>> {
    item.map(Some).into_iter().collect()
}

fn many(items: Option<Vec<Item>>) -> Vec<Option<Item>> {
    items.into_iter().flatten().map(Some).collect()
}

const OTHER: &str = "the SDK read the answer as another operation's";

/// The values that items are read as.
pub(crate) trait Values: Take {
    /// Reads one more, if it is wanted.
    fn read(&mut self, item: Raw) -> Result<()>;

    /// How many there are.
    fn count(&self) -> usize;

    /// Forgets all but the first so many.
    fn truncate(&mut self, count: usize);
}

/// The text of a body, if it is text.
fn text(body: &[u8]) -> Option<&str> {
    simdutf8::basic::from_utf8(body).ok()
}

/// An answer that says what there was beside its items. Mostly these are counts, which take no parser.
fn with<A: Answer>(mut answer: A, rest: Rest) -> Result<A> {
    if !rest.members.is_empty() {
        answer = parse(format!("{{{}}}", rest.members).into())?;
    }
    if let Some(count) = rest.count {
        answer.set_count(count);
    }
    Ok(answer)
}

/// What the SDK's own parser makes of the body of a successful answer.
fn parse<A: Answer>(body: SdkBody) -> Result<A> {
    let other = || A::error(OrchestratorError::other(OTHER));
    let status = 200.try_into().map_err(|_| other())?;
    let parsed = A::parse(&HttpResponse::new(status, body), &ConfigBag::base());
    let output = parsed.map_err(A::error)?;
    output.downcast().map_err(|_| other())
}

/// An item as attributes, from JSON that was written here.
pub(super) fn item_of(json: &str) -> Item {
    let answer = format!(r#"{{"Item":{json}}}"#);
    let answer: Result<op::get_item::GetItemOutput> = parse(answer.into());
    answer
        .ok()
        .and_then(|answer| answer.item)
        .unwrap_or_default()
}

/// The operation's own error, as the SDK would return it.
fn own_error<E: StdError + Send + Sync + 'static>(
    error: OrchestratorError<Erased>,
    unhandled: impl FnOnce(BoxError) -> E,
) -> E {
    let mut own = None;
    error.map_operation_error(|error| own = error.downcast::<E>().ok());
    own.unwrap_or_else(|| unhandled(OTHER.into()))
}

/// The body of an answer, kept from the SDK while a call is made.
#[derive(Debug)]
pub(crate) struct Kept<A> {
    hook: Hook,
    answer: PhantomData<fn() -> A>,
}

impl<A: Answer> Kept<A> {
    pub(crate) fn new() -> Self {
        Self::writing(NewItems::default())
    }

    /// The same of a call that writes these items.
    pub(crate) fn writing(items: NewItems) -> Self {
        Self {
            hook: Hook::new(items, || Output::erase(A::empty()), A::parse),
            answer: PhantomData,
        }
    }

    /// To be given to the call.
    pub(crate) fn hook(&self) -> impl Intercept + 'static {
        self.hook.clone()
    }

    /// The items of the answer that the call returned, in order, and the answer without them.
    pub(crate) fn items(self, mut answer: A) -> Result<(A, Vec<Option<Raw>>)> {
        match self.hook.take() {
            Some(body) => split(answer, body),
            None => {
                let items = maps(&mut answer);
                Ok((answer, items))
            }
        }
    }

    /// Reads the items of the answer that the call returned while going through it, and notes where attributes are that are watched
    /// for. The answer without them, and the first of them.
    pub(crate) fn read_into(
        self,
        mut answer: A,
        watch: Option<&Watch>,
        values: &mut dyn Values,
    ) -> Result<(A, Option<Raw>)> {
        let before = values.count();
        let items;
        if let Some(body) = self.hook.take() {
            let read = text(&body).map(|text| wire::read(text, A::PLACE, watch, values));
            if let Some(Ok((rest, first))) = read {
                let first = first.map(|first| Raw::json(body.slice(first)));
                return Ok((with(answer, rest)?, first));
            }
            // Each item by itself says what is wrong with it.
            values.truncate(before);
            (answer, items) = split(answer, body)?;
        } else {
            items = maps(&mut answer);
        }
        let items: Vec<Raw> = items.into_iter().flatten().collect();
        let first = items.first().cloned();
        for item in items {
            values.read(item)?;
        }
        Ok((answer, first))
    }

    /// The one item of an answer, if there is one.
    pub(crate) fn item(self, answer: A) -> Result<Option<Raw>> {
        let (_, mut items) = self.items(answer)?;
        Ok(items.pop().flatten())
    }
}

/// The items in the body of an answer, in order, and the answer without them.
fn split<A: Answer>(answer: A, body: Bytes) -> Result<(A, Vec<Option<Raw>>)> {
    let split = text(&body).map(|text| wire::split(text, A::PLACE));
    match split {
        Some(Ok(Split { items, rest })) => {
            let raw = |item| Raw::json(body.slice(item));
            let items = items.into_iter().map(|item| item.map(raw)).collect();
            Ok((with(answer, rest)?, items))
        }
        // What the SDK makes of it decides.
        _ => {
            let mut answer: A = parse(body.into())?;
            let items = maps(&mut answer);
            Ok((answer, items))
        }
    }
}

fn maps<A: Answer>(answer: &mut A) -> Vec<Option<Raw>> {
    let items = answer.take_items().into_iter();
    items.map(|item| item.map(Raw::map)).collect()
}
