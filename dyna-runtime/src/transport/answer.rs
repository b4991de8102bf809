//! Reading responses: their items from the bytes, and the rest by the SDK.

use crate::codec::Item;
use crate::codec::wire;
use crate::codec::wire::{Place, Rest, Split, Take, Watch};
use crate::error::{Asked, Error, FailedRequest, Result, SdkError, of_service};
use crate::transport::Form;
use crate::transport::backoff::Clock;
use crate::transport::body::NewItems;
use crate::transport::check::Unreadable;
use crate::transport::hook::{Hook, Response};
use crate::transport::raw::Raw;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimePlugin};
use aws_sdk_dynamodb::error::{BoxError, SdkError as CallError};
use aws_sdk_dynamodb::operation as op;
use aws_smithy_runtime_api::client::interceptors::context::{Error as Erased, Output};
use aws_smithy_runtime_api::client::orchestrator::{HttpResponse, OrchestratorError};
use aws_smithy_runtime_api::client::ser_de::SharedResponseDeserializer;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::config_bag::FrozenLayer;
use std::error::Error as StdError;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::LazyLock;

/// An output of the SDK's.
pub(crate) trait Answer: Debug + Sized + Send + Sync + 'static {
    /// What the operation is called.
    const OPERATION: &'static str;
    /// Whether it writes.
    const IS_WRITE: bool;
    /// Where a response has its items. What has none is read by the SDK.
    const PLACE: Option<Place>;

    /// The operation's own error.
    type Error: StdError + Send + Sync + 'static;

    /// An output that says nothing.
    fn empty() -> Self;

    /// The SDK's own parser, if it is where the SDK keeps it today.
    fn parser() -> Option<&'static SharedResponseDeserializer>;

    /// The error of a call, as one of the SDK's.
    fn error(error: CallError<Self::Error, HttpResponse>) -> aws_sdk_dynamodb::Error;

    /// The error of a response that the SDK's own parser does not take.
    fn unparsed(error: OrchestratorError<Erased>) -> Error;

    /// The items that the SDK's own parser found, in order.
    fn take_items(&mut self) -> Vec<Option<Item>>;

    /// Says how many items there are, if it can.
    fn set_count(&mut self, count: i32);
}

macro_rules! answers {
    ($($kind:ident $module:ident $operation:ident $output:ident $error:ident $place:expr, |$answer:ident| $items:expr $(, $count:ident)?;)*) => {$(
        impl Answer for op::$module::$output {
            const OPERATION: &'static str = stringify!($operation);
            const IS_WRITE: bool = is_write(stringify!($kind));
            const PLACE: Option<Place> = $place;

            type Error = op::$module::$error;

            fn empty() -> Self {
                Self::builder().build()
            }

            fn parser() -> Option<&'static SharedResponseDeserializer> {
                static CONFIG: LazyLock<Option<FrozenLayer>> =
                    LazyLock::new(|| op::$module::$operation::new().config());
                CONFIG.as_ref()?.load::<SharedResponseDeserializer>()
            }

            fn error(error: CallError<Self::Error, HttpResponse>) -> aws_sdk_dynamodb::Error {
                error.into()
            }

            fn unparsed(error: OrchestratorError<Erased>) -> Error {
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

const fn is_write(kind: &str) -> bool {
    matches!(kind.as_bytes(), b"write")
}

answers! {
    read get_item GetItem GetItemOutput GetItemError Some(Place::One("Item")), |answer| one(answer.item.take());
    write put_item PutItem PutItemOutput PutItemError Some(Place::One("Attributes")), |answer| one(answer.attributes.take());
    write update_item UpdateItem UpdateItemOutput UpdateItemError Some(Place::One("Attributes")), |answer| one(answer.attributes.take());
    write delete_item DeleteItem DeleteItemOutput DeleteItemError Some(Place::One("Attributes")), |answer| one(answer.attributes.take());
    read query Query QueryOutput QueryError Some(Place::Many("Items")), |answer| many(answer.items.take()), count;
    read scan Scan ScanOutput ScanError Some(Place::Many("Items")), |answer| many(answer.items.take()), count;
    read batch_get_item BatchGetItem BatchGetItemOutput BatchGetItemError Some(Place::PerTable), |answer| {
        let tables = answer.responses.take().into_iter().flatten();
        tables.flat_map(|(_, items)| items).map(Some).collect()
    };
    read transact_get_items TransactGetItems TransactGetItemsOutput TransactGetItemsError Some(Place::Each), |answer| {
        let items = answer.responses.take().into_iter().flatten();
        items.map(|response| response.item).collect()
    };
    write batch_write_item BatchWriteItem BatchWriteItemOutput BatchWriteItemError None, |_answer| Vec::new();
    write transact_write_items TransactWriteItems TransactWriteItemsOutput TransactWriteItemsError None, |_answer| Vec::new();
}

fn one(item: Option<Item>) -> Vec<Option<Item>> {
    item.map(Some).into_iter().collect()
}

fn many(items: Option<Vec<Item>>) -> Vec<Option<Item>> {
    items.into_iter().flatten().map(Some).collect()
}

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

/// The operation's own error, as the SDK would return it.
fn own_error<E: StdError + Send + Sync + 'static>(
    error: OrchestratorError<Erased>,
    unhandled: impl FnOnce(BoxError) -> E,
) -> E {
    let mut own = None;
    error.map_operation_error(|error| own = error.downcast::<E>().ok());
    own.unwrap_or_else(|| unhandled(Unreadable::Malformed.into()))
}

/// A call that failed.
pub(crate) struct CallFailed {
    request: FailedRequest,
    /// The SDK's error, with the items that it may hold.
    pub(crate) source: aws_sdk_dynamodb::Error,
    /// What is wrong with the response to a write, which may have been applied.
    problem: Option<Unreadable>,
}

impl From<Box<CallFailed>> for Error {
    fn from(failed: Box<CallFailed>) -> Self {
        let request = Box::new(failed.request);
        match failed.problem {
            Some(problem) => Self::OutcomeUnknown {
                request,
                problem: problem.to_string(),
            },
            None => Self::Service {
                request,
                source: SdkError::new(failed.source),
            },
        }
    }
}

/// What goes with one call, and reads its response.
#[derive(Debug)]
pub(crate) struct CapturedResponse<A> {
    hook: Hook,
    answer: PhantomData<fn() -> A>,
}

impl<A: Answer> CapturedResponse<A> {
    pub(crate) fn new(form: Form) -> Self {
        Self::writing(NewItems::new(form), None)
    }

    /// The same of a call that writes these items, and from which a clock learns the time.
    pub(crate) fn writing(items: NewItems, clock: Option<Clock>) -> Self {
        let empty: fn() -> Output = || Output::erase(A::empty());
        let is_kept = items.form() == Form::Bytes && A::PLACE.is_some();
        Self {
            hook: Hook::new(
                items,
                clock,
                is_kept.then_some(empty),
                A::IS_WRITE,
                A::parser(),
            ),
            answer: PhantomData,
        }
    }

    /// To be given to the call.
    pub(crate) fn hook(&self) -> impl Intercept + 'static {
        self.hook.clone()
    }

    /// Whether nothing was sent, because the SDK has no places for the items: they are to be sent as maps.
    pub(crate) fn is_unfilled(&self) -> bool {
        self.hook.is_unfilled()
    }

    /// What a call returned.
    pub(crate) fn sent(
        &self,
        sent: Result<A, CallError<A::Error, HttpResponse>>,
        asked: Asked<'_>,
    ) -> Result<A, Box<CallFailed>> {
        sent.map_err(|error| {
            let (request, error) = FailedRequest::of_call(A::OPERATION, asked, error);
            Box::new(CallFailed {
                request,
                source: A::error(error),
                problem: self.hook.unreadable().filter(|_| A::IS_WRITE),
            })
        })
    }

    /// The items of the output that the call returned, in order, and the output without them.
    pub(crate) fn items(self, mut answer: A, asked: Asked<'_>) -> Result<(A, Vec<Option<Raw>>)> {
        match self.hook.take() {
            Some(response) => self.split(answer, &response, asked),
            None => {
                let items = maps(&mut answer);
                Ok((answer, items))
            }
        }
    }

    /// Reads the items of the output that the call returned while going through it, and notes where attributes are that are watched
    /// for. The output without them, and the first of them.
    pub(crate) fn read_into(
        self,
        mut answer: A,
        watch: Option<&Watch>,
        values: &mut dyn Values,
        asked: Asked<'_>,
    ) -> Result<(A, Option<Raw>)> {
        let before = values.count();
        let items;
        if let Some(response) = self.hook.take() {
            let body = &response.body;
            let read = text(body).zip(A::PLACE);
            let read = read.map(|(text, place)| wire::read(text, place, watch, values));
            if let Some(Ok((rest, first))) = read {
                let first = first.map(|first| Raw::json(body.slice(first)));
                let answer = self.with(answer, rest);
                let answer = answer.map_err(|error| unreadable::<A>(&response, asked, error))?;
                return Ok((answer, first));
            }
            // Each item by itself says what is wrong with it.
            values.truncate(before);
            (answer, items) = self.split(answer, &response, asked)?;
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

    /// The items in the body of a response, in order, and the output without them.
    fn split(
        &self,
        answer: A,
        response: &Response,
        asked: Asked<'_>,
    ) -> Result<(A, Vec<Option<Raw>>)> {
        let body = &response.body;
        let split = text(body).zip(A::PLACE);
        let split = split.map(|(text, place)| wire::split(text, place));
        let read = match split {
            Some(Ok(Split { items, rest })) => {
                let raw = |item| Raw::json(body.slice(item));
                let items = items.into_iter().map(|item| item.map(raw)).collect();
                self.with(answer, rest).map(|answer| (answer, items))
            }
            // What the SDK makes of it decides.
            _ => self.parse(body.clone().into()).map(|mut answer| {
                let items = maps(&mut answer);
                (answer, items)
            }),
        };
        read.map_err(|error| unreadable::<A>(response, asked, error))
    }

    /// The one item of a response, if there is one.
    pub(crate) fn item(self, answer: A, asked: Asked<'_>) -> Result<Option<Raw>> {
        let (_, mut items) = self.items(answer, asked)?;
        Ok(items.pop().flatten())
    }

    /// An output that says what there was beside its items. Mostly these are counts, which take no parser.
    fn with(&self, mut answer: A, rest: Rest) -> Result<A> {
        if !rest.members.is_empty() {
            answer = self.parse(format!("{{{}}}", rest.members).into())?;
        }
        if let Some(count) = rest.count {
            answer.set_count(count);
        }
        Ok(answer)
    }

    /// What the SDK's own parser makes of the body of a successful response.
    fn parse(&self, body: SdkBody) -> Result<A> {
        let other = || A::unparsed(OrchestratorError::other(Unreadable::Malformed));
        let status = 200.try_into().map_err(|_| other())?;
        let response = HttpResponse::new(status, body);
        let parsed = self.hook.parse(&response, &ConfigBag::base());
        let output = parsed.map_err(A::unparsed)?;
        output.downcast().map_err(|_| other())
    }
}

/// The error of a response whose body is not DynamoDB's.
fn unreadable<A: Answer>(response: &Response, asked: Asked<'_>, error: Error) -> Error {
    response.is_unreadable();
    let request = Box::new(FailedRequest::unparsed(A::OPERATION, asked));
    match error {
        _ if A::IS_WRITE => Error::OutcomeUnknown {
            request,
            problem: Unreadable::Malformed.to_string(),
        },
        Error::Service { source, .. } => Error::Service { request, source },
        error => error,
    }
}

fn maps<A: Answer>(answer: &mut A) -> Vec<Option<Raw>> {
    let items = answer.take_items().into_iter();
    items.map(|item| item.map(Raw::map)).collect()
}
