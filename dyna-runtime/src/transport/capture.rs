//! Reading responses: their items from the bytes, and the rest by the SDK.

use crate::codec::Item;
use crate::codec::json;
use crate::codec::json::{ItemLocation, ItemSink, ResponseRest, SplitResponse, Watch};
use crate::entity::EntityMeta;
use crate::error::{
    Error, FailedRequest, OTHER_CONTENT, RefusedWrite, RequestContext, Result, SdkError,
    service_error,
};
use crate::transport::ItemFormat;
use crate::transport::attempts::Observer;
use crate::transport::check::BadResponse;
use crate::transport::hook::{Response, ResponseHook};
use crate::transport::inject::ItemBodies;
use crate::transport::raw_item::RawItem;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimePlugin};
use aws_sdk_dynamodb::error::{BoxError, ProvideErrorMetadata, SdkError as CallError};
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
pub(crate) trait ItemResponse: Debug + Sized + Send + Sync + 'static {
    /// The name of the operation.
    const OPERATION: &'static str;
    /// Whether it writes.
    const IS_WRITE: bool;
    /// Where a response has its items. What has none is read by the SDK.
    const LOCATION: Option<ItemLocation>;

    /// The operation's own error.
    type Error: StdError + Send + Sync + 'static;

    /// An empty output.
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

macro_rules! item_responses {
    ($($kind:ident $module:ident $operation:ident $output:ident $error:ident $place:expr, |$answer:ident| $items:expr $(, $count:ident)?;)*) => {$(
        impl ItemResponse for op::$module::$output {
            const OPERATION: &'static str = stringify!($operation);
            const IS_WRITE: bool = is_write(stringify!($kind));
            const LOCATION: Option<ItemLocation> = $place;

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
                service_error(own_error(error, op::$module::$error::unhandled))
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

item_responses! {
    read get_item GetItem GetItemOutput GetItemError Some(ItemLocation::One("Item")), |answer| one(answer.item.take());
    write put_item PutItem PutItemOutput PutItemError Some(ItemLocation::One("Attributes")), |answer| one(answer.attributes.take());
    write update_item UpdateItem UpdateItemOutput UpdateItemError Some(ItemLocation::One("Attributes")), |answer| one(answer.attributes.take());
    write delete_item DeleteItem DeleteItemOutput DeleteItemError Some(ItemLocation::One("Attributes")), |answer| one(answer.attributes.take());
    read query Query QueryOutput QueryError Some(ItemLocation::Many("Items")), |answer| many(answer.items.take()), count;
    read scan Scan ScanOutput ScanError Some(ItemLocation::Many("Items")), |answer| many(answer.items.take()), count;
    read batch_get_item BatchGetItem BatchGetItemOutput BatchGetItemError Some(ItemLocation::PerTable), |answer| {
        let tables = answer.responses.take().into_iter().flatten();
        tables.flat_map(|(_, items)| items).map(Some).collect()
    };
    read transact_get_items TransactGetItems TransactGetItemsOutput TransactGetItemsError Some(ItemLocation::Each), |answer| {
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
pub(crate) trait DecodedItems: ItemSink {
    /// Reads one more, if it is wanted.
    fn read(&mut self, item: RawItem) -> Result<()>;

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
    own.unwrap_or_else(|| unhandled(BadResponse::Malformed.into()))
}

/// A call that failed.
pub(crate) struct CallFailed {
    request: FailedRequest,
    /// The SDK's error, with the items that it may hold.
    pub(crate) source: aws_sdk_dynamodb::Error,
    /// The problem of the response to a write, which may have been applied.
    problem: Option<BadResponse>,
    /// Whether an attempt of a write was sent and got no response that says what became of it.
    pub(crate) may_be_applied: bool,
}

impl CallFailed {
    /// The error of a write that may have been applied, with the stored item that the last attempt was refused for.
    pub(crate) fn into_unknown(self, refused: Option<RefusedWrite>) -> Error {
        let source = SdkError::new(self.source);
        let problem = match self.problem {
            Some(problem) => format!("its response could not be read: {problem}"),
            None => self.request.doubt(&source),
        };
        Error::OutcomeUnknown {
            request: Box::new(self.request),
            problem,
            refused: refused.map(Box::new),
            source: Some(source),
        }
    }
}

impl From<Box<CallFailed>> for Error {
    fn from(failed: Box<CallFailed>) -> Self {
        let is_other = failed.source.code() == Some(OTHER_CONTENT);
        if failed.problem.is_some() || failed.may_be_applied || is_other {
            return failed.into_unknown(None);
        }
        Self::Service {
            request: Box::new(failed.request),
            source: SdkError::new(failed.source),
        }
    }
}

/// The hooks of one call, which read its response.
#[derive(Debug)]
pub(crate) struct CapturedResponse<A> {
    hook: ResponseHook,
    answer: PhantomData<fn() -> A>,
}

impl<A: ItemResponse> CapturedResponse<A> {
    pub(crate) fn new(format: ItemFormat) -> Self {
        Self::writing(ItemBodies::new(format), None)
    }

    /// The same of a call that writes these items, and that is observed.
    pub(crate) fn writing(items: ItemBodies, observer: Option<Observer>) -> Self {
        let empty: fn() -> Output = || Output::erase(A::empty());
        let is_kept = items.format() == ItemFormat::Bytes && A::LOCATION.is_some();
        Self {
            hook: ResponseHook::new(
                items,
                observer,
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

    /// The result of a call.
    pub(crate) fn sent(
        &self,
        sent: Result<A, CallError<A::Error, HttpResponse>>,
        asked: RequestContext<'_>,
    ) -> Result<A, Box<CallFailed>> {
        sent.map_err(|error| {
            let (request, error) = FailedRequest::of_call(A::OPERATION, asked, error);
            Box::new(CallFailed {
                request,
                source: A::error(error),
                problem: self.hook.unreadable().filter(|_| A::IS_WRITE),
                may_be_applied: A::IS_WRITE && self.hook.may_be_applied(),
            })
        })
    }

    /// The items of the output that the call returned, in order, and the output without them.
    pub(crate) fn items(
        self,
        mut answer: A,
        asked: RequestContext<'_>,
    ) -> Result<(A, Vec<Option<RawItem>>)> {
        match self.hook.take() {
            Some(response) => self.split(answer, &response, None, asked),
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
        values: &mut dyn DecodedItems,
        asked: RequestContext<'_>,
    ) -> Result<(A, Option<RawItem>)> {
        let before = values.count();
        let items;
        if let Some(response) = self.hook.take() {
            let body = &response.body;
            let read = text(body).zip(A::LOCATION);
            let read = read.map(|(text, place)| json::read(text, place, watch, values));
            if let Some(Ok((rest, first))) = read {
                let first = first.map(|first| RawItem::json(body.slice(first)));
                let answer = self.with(answer, rest);
                let answer = answer.map_err(|error| unreadable::<A>(&response, asked, error))?;
                return Ok((answer, first));
            }
            // Each item by itself says what is wrong with it.
            values.truncate(before);
            (answer, items) = self.split(answer, &response, None, asked)?;
        } else {
            items = maps(&mut answer);
        }
        let items: Vec<RawItem> = items.into_iter().flatten().collect();
        let first = items.first().cloned();
        for item in items {
            values.read(item)?;
        }
        Ok((answer, first))
    }

    /// The items in the body of a response, in order, and the output without them. Notes where attributes are that are watched for.
    fn split(
        &self,
        answer: A,
        response: &Response,
        watch: Option<&Watch>,
        asked: RequestContext<'_>,
    ) -> Result<(A, Vec<Option<RawItem>>)> {
        let body = &response.body;
        let split = text(body).zip(A::LOCATION);
        let split = split.map(|(text, place)| json::split(text, place, watch));
        let read = match split {
            Some(Ok(SplitResponse { items, rest })) => {
                let raw = |item| RawItem::json(body.slice(item));
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
    pub(crate) fn item(self, answer: A, asked: RequestContext<'_>) -> Result<Option<RawItem>> {
        let (_, mut items) = self.items(answer, asked)?;
        Ok(items.pop().flatten())
    }

    /// The same, which was asked for by a key of this entity, unless its tag names another.
    pub(crate) fn item_of(
        self,
        meta: &'static EntityMeta,
        answer: A,
        asked: RequestContext<'_>,
    ) -> Result<Option<RawItem>> {
        let Some(tag) = meta.schema.tag else {
            return self.item(answer, asked);
        };
        let Some(response) = self.hook.take() else {
            let item = self.item(answer, asked)?;
            return Ok(item.and_then(|item| item.at_key_of(meta)));
        };
        // The tag is met on the way to the end of the item.
        let watch = Watch::new([tag.attribute.name, "", ""]);
        let (_, mut items) = self.split(answer, &response, Some(&watch), asked)?;
        let item = items.pop().flatten();
        let is_certain = text(&response.body).is_some_and(|text| watch.is(0, meta.tag, text));
        if is_certain {
            return Ok(item);
        }
        Ok(item.and_then(|item| item.at_key_of(meta)))
    }

    /// An output that says what there was beside its items. Mostly these are counts, which take no parser.
    fn with(&self, mut answer: A, rest: ResponseRest) -> Result<A> {
        if !rest.members.is_empty() {
            answer = self.parse(format!("{{{}}}", rest.members).into())?;
        }
        if let Some(count) = rest.count {
            answer.set_count(count);
        }
        Ok(answer)
    }

    /// Parses the body of a successful response with the SDK's own parser.
    fn parse(&self, body: SdkBody) -> Result<A> {
        let other = || A::unparsed(OrchestratorError::other(BadResponse::Malformed));
        let status = 200.try_into().map_err(|_| other())?;
        let response = HttpResponse::new(status, body);
        let parsed = self.hook.parse(&response, &ConfigBag::base());
        let output = parsed.map_err(A::unparsed)?;
        output.downcast().map_err(|_| other())
    }
}

/// The error of a response whose body is not DynamoDB's.
fn unreadable<A: ItemResponse>(
    response: &Response,
    asked: RequestContext<'_>,
    error: Error,
) -> Error {
    response.is_unreadable();
    let request = Box::new(FailedRequest::unparsed(A::OPERATION, asked));
    match error {
        _ if A::IS_WRITE => Error::OutcomeUnknown {
            request,
            problem: format!("its response could not be read: {}", BadResponse::Malformed),
            refused: None,
            source: None,
        },
        Error::Service { source, .. } => Error::Service { request, source },
        error => error,
    }
}

fn maps<A: ItemResponse>(answer: &mut A) -> Vec<Option<RawItem>> {
    let items = answer.take_items().into_iter();
    items.map(|item| item.map(RawItem::map)).collect()
}
