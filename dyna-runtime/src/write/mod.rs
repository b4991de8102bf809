//! One write of one item, as data: what single requests, transactions and `explain()` all send from.

pub(crate) mod as_written;
pub(crate) mod cancellation;
pub(crate) mod encode;
mod guard;
pub mod returning;
pub(crate) mod sentinel;
pub(crate) mod transaction;
pub(crate) mod update;
pub(crate) mod update_expression;

use crate::codec::Item;
use crate::codec::size::item_size;
use crate::entity::EntityMeta;
use crate::entity::changes::Assignment;
use crate::entity::fill::Precondition;
use crate::entity::fill::VersionCheck;
use crate::entity::in_place::InPlace;
use crate::entity::owner::claim::Claim;
use crate::error::{Error, RefusedWrite, Result, SdkError, SizeLimit, Unmet, service_error};
use crate::expr::{Expr, Rendered};
use crate::key::KeyId;
use crate::managed::UniqueField;
use crate::table::Handle;
use crate::transport::ResponseFuture;
use crate::transport::attempts::Observer;
use crate::transport::backoff::Backoff;
use crate::transport::limits;
use crate::transport::{CallFailed, CapturedResponse, ItemBodies, ItemBody, ItemFormat, RawItem};
use crate::write::guard::Guard;
use crate::write::returning::Which;
use crate::write::transaction::{Operation, Sending};
use crate::write::update_expression::render;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{
    self as sdk, AttributeValue, ReturnValue, ReturnValuesOnConditionCheckFailure as OnFailure,
};
use std::collections::HashMap;

/// One write of one item. `Put`, `Update` and `Delete` are its typed fronts.
pub(crate) struct Write {
    pub(crate) meta: &'static EntityMeta,
    pub(crate) action: WriteKind,
    /// Its name in errors: `create`.
    pub(crate) operation: &'static str,
    /// Whether an item must be there, which the condition asks for too.
    pub(crate) precondition: Precondition,
    /// The condition on the stored item, or on its absence.
    pub(crate) condition: Expr,
    /// The version that the stored item must have.
    pub(crate) version_check: Option<VersionCheck>,
    /// The unique field whose sentinel it writes, if it does.
    pub(crate) unique: Option<&'static UniqueField>,
    /// The sentinels of unique fields, which are written in the same transaction.
    pub(crate) companions: Vec<Self>,
    /// How the stored item must not store the fields that are changed in place.
    pub(crate) in_place: Vec<InPlace>,
    /// Whose the item with its key may be.
    pub(crate) claim: Claim,
}

/// The operation of a write.
pub(crate) enum WriteKind {
    /// Writes the item as a whole.
    Put(ItemBody),
    /// Changes the item with this key.
    Update(Item, Vec<Assignment>),
    /// Deletes the item with this key.
    Delete(Item),
    /// Changes nothing of the item with this key, and only asks for the condition.
    Check(Item),
}

/// The expressions of a write, with what they refer to, as the SDK's builders take them.
struct WriteExpressions {
    /// The update expression, if the write is an update.
    update: Option<String>,
    condition: Option<String>,
    names: Option<HashMap<String, String>>,
    values: Option<HashMap<String, AttributeValue>>,
    /// The item that fails a condition is asked for where there is one.
    on_failure: Option<OnFailure>,
}

/// Fills the members that all writes have in common into one of the SDK's builders.
macro_rules! fill {
    ($builder:expr, $expressions:expr) => {
        $builder
            .set_condition_expression($expressions.condition)
            .set_expression_attribute_names($expressions.names)
            .set_expression_attribute_values($expressions.values)
            .set_return_values_on_condition_check_failure($expressions.on_failure)
    };
}

/// Makes a call, and takes the item that it returns.
macro_rules! call {
    ($write:expr, $format:expr, $kept:expr, $request:expr, $asked:expr) => {{
        let kept = $kept;
        let sent = $request.customize().interceptor(kept.hook()).send().await;
        match kept.sent(sent, $asked) {
            Ok(output) => kept.item(output, $asked).map_err(Tried::Failed),
            Err(_) if kept.is_unfilled() => Err(Tried::Unfilled),
            Err(error) => Err(Tried::Failed($write.failed(error, $format))),
        }
    }};
}

/// One try of a write that did not succeed.
enum Tried {
    /// Nothing was sent: the SDK has no place for the item.
    Unfilled,
    Failed(Error),
}

/// How often a write is tried again that another write or transaction was in the way of. It was not applied.
pub(crate) const CONFLICT_RETRIES: u32 = 3;

impl Write {
    /// A write without conditions.
    pub(crate) fn new(meta: &'static EntityMeta, action: WriteKind) -> Self {
        let operation = match &action {
            WriteKind::Put(_) => "put",
            WriteKind::Update(..) => "update",
            WriteKind::Delete(_) => "delete",
            WriteKind::Check(_) => "check",
        };
        Self {
            meta,
            action,
            operation,
            precondition: Precondition::None,
            condition: Expr::default(),
            version_check: None,
            unique: None,
            companions: Vec::new(),
            in_place: Vec::new(),
            claim: Claim::Own,
        }
    }

    /// Makes a write, if it can be made. The item that is asked for, if there is one.
    pub(crate) fn answer(
        write: Result<Self>,
        db: &Handle,
        which: Which,
    ) -> ResponseFuture<'_, Option<RawItem>> {
        Box::pin(async move {
            let write = write?.judged_by(db.entities());
            let sent = write.send(db.client(), db.format(), db.name()?, which);
            let item = sent.await?;
            Ok(item.map(|item| item.check_keys(db.checks_keys())))
        })
    }

    /// Judges a raw key by the entities of its table.
    pub(crate) fn judged_by(mut self, listed: &'static [&'static EntityMeta]) -> Self {
        if self.claim != Claim::Own
            && let Some(key) = self.key()
        {
            self.claim = self.claim.judged_by(self.meta, listed, &key);
        }
        self
    }

    async fn send(
        self,
        client: &Client,
        mut format: ItemFormat,
        table: &str,
        which: Which,
    ) -> Result<Option<RawItem>> {
        let is_transaction = which.is_once() || !self.companions.is_empty();
        if is_transaction || matches!(self.action, WriteKind::Check(_)) {
            return self.send_together(client, format, table, which).await;
        }
        self.check()?;
        let mut backoff = Backoff::tries(CONFLICT_RETRIES);
        loop {
            let tried = self.attempt(client, format, table, which, backoff.observer());
            match tried.await {
                Ok(item) => return Ok(item),
                Err(Tried::Unfilled) => format = ItemFormat::Maps,
                Err(Tried::Failed(error)) => {
                    if !error.is_transaction_conflict() || !backoff.wait().await {
                        return Err(error);
                    }
                }
            }
        }
    }

    async fn attempt(
        &self,
        client: &Client,
        format: ItemFormat,
        table: &str,
        which: Which,
        observer: Observer,
    ) -> Result<Option<RawItem>, Tried> {
        let expressions = self.expressions().map_err(Tried::Failed)?;
        let asked = self.meta.asked(table);
        let old = (which == Which::Old).then_some(ReturnValue::AllOld);
        let new = (which == Which::New).then_some(ReturnValue::AllNew);
        let mut items = ItemBodies::new(format);
        match &self.action {
            WriteKind::Put(item) => {
                let written = (which == Which::New).then(|| item.raw(self.meta.name));
                let written = written.transpose().map_err(Tried::Failed)?;
                let place = items.add(self.meta.name, item).map_err(Tried::Failed)?;
                let request = client.put_item().table_name(table).set_item(Some(place));
                let request = fill!(request, expressions).set_return_values(old);
                let returned = call!(
                    self,
                    format,
                    CapturedResponse::writing(items, Some(observer)),
                    request,
                    asked
                )?;
                Ok(written.or(returned))
            }
            WriteKind::Update(key, _) => {
                let key = Some(key.clone());
                let request = client.update_item().table_name(table).set_key(key);
                let request = request.set_update_expression(expressions.update);
                let request = fill!(request, expressions).set_return_values(old.or(new));
                call!(
                    self,
                    format,
                    CapturedResponse::writing(items, Some(observer)),
                    request,
                    asked
                )
            }
            WriteKind::Delete(key) => {
                let key = Some(key.clone());
                let request = client.delete_item().table_name(table).set_key(key);
                let request = fill!(request, expressions).set_return_values(old);
                call!(
                    self,
                    format,
                    CapturedResponse::writing(items, Some(observer)),
                    request,
                    asked
                )
            }
            WriteKind::Check(_) => Ok(None),
        }
    }

    /// Tells a failed condition, with the item that failed it, from all other errors.
    fn failed(&self, mut error: Box<CallFailed>, format: ItemFormat) -> Error {
        let aws_sdk_dynamodb::Error::ConditionalCheckFailedException(failed) = &mut error.source
        else {
            return error.into();
        };
        let item = failed.item.take();
        let entity = self.meta.name;
        // An interceptor may have written the item in its own way, and does not read those of errors.
        let is_shown = format == ItemFormat::Bytes;
        let is_anothers = |item: &Item| is_shown && self.is_anothers(item);
        if error.may_be_applied && !item.as_ref().is_some_and(is_anothers) {
            let is_as_written = self.is_as_written(item.as_ref());
            return error.into_unknown(Some(RefusedWrite {
                entity,
                item,
                is_as_written,
            }));
        }
        let source = SdkError::new(error.source);
        let unmet = unmet(self.precondition, self.guard(), item.as_ref());
        if unmet == Unmet::OtherEntity {
            return Error::ConditionFailed {
                entity,
                operation: self.operation,
                unmet,
                item,
                source,
            };
        }
        let problem = |item| self.in_place.iter().find_map(|one| one.problem(item));
        if let Some(problem) = item.as_ref().and_then(problem) {
            return Error::StoredOtherwise {
                entity,
                problem,
                source,
            };
        }
        if let Some(version_check) = &self.version_check
            && version_check.conflicts_with(item.as_ref())
        {
            return Error::VersionConflict {
                entity,
                item,
                source,
            };
        }
        Error::ConditionFailed {
            entity,
            operation: self.operation,
            unmet,
            item,
            source,
        }
    }

    /// Makes the write in a transaction: once, with its sentinels, or a check, which DynamoDB makes only there.
    async fn send_together(
        self,
        client: &Client,
        format: ItemFormat,
        table: &str,
        which: Which,
    ) -> Result<Option<RawItem>> {
        let meta = self.meta;
        let new = match (&self.action, which) {
            // What is created was not there before.
            (_, Which::Neither | Which::Once) | (WriteKind::Put(_), Which::Old) => None,
            (WriteKind::Put(item), Which::New | Which::OnceNew) => Some(item.raw(meta.name)?),
            _ => return Err(Error::CannotReturnItem { entity: meta.name }),
        };
        let operations = Operation::all(table, self, 0);
        let sent = transaction::send(client, format, operations, Sending::default()).await;
        sent.map_err(|error| error.into_single_write(meta.name))?;
        Ok(new)
    }

    /// The write as an operation of a transaction, which has checked it.
    pub(crate) fn to_operation(
        &self,
        table: &str,
        items: &mut ItemBodies,
    ) -> Result<sdk::TransactWriteItem> {
        let expressions = self.expressions()?;
        let operation = sdk::TransactWriteItem::builder();
        let operation = match &self.action {
            WriteKind::Put(item) => {
                let item = items.add(self.meta.name, item)?;
                let put = sdk::Put::builder().table_name(table).set_item(Some(item));
                operation.put(fill!(put, expressions).build().map_err(service_error)?)
            }
            // Without a change it only asks for its conditions, which in a transaction is no update.
            WriteKind::Update(key, _) if expressions.update.is_some() => {
                let update = sdk::Update::builder()
                    .table_name(table)
                    .set_key(Some(key.clone()));
                let update = update.set_update_expression(expressions.update);
                operation.update(fill!(update, expressions).build().map_err(service_error)?)
            }
            WriteKind::Delete(key) => {
                let delete = sdk::Delete::builder()
                    .table_name(table)
                    .set_key(Some(key.clone()));
                operation.delete(fill!(delete, expressions).build().map_err(service_error)?)
            }
            // DynamoDB has no operation that makes an item of a key alone and leaves one that is there as it is.
            WriteKind::Update(..) if expressions.condition.is_none() => {
                return Err(Error::KeyAlone {
                    entity: self.meta.name,
                });
            }
            WriteKind::Update(key, _) | WriteKind::Check(key) => {
                let check = sdk::ConditionCheck::builder();
                let check = check.table_name(table).set_key(Some(key.clone()));
                operation.condition_check(fill!(check, expressions).build().map_err(service_error)?)
            }
        };
        Ok(operation.build())
    }

    /// The key of the item.
    pub(crate) fn key(&self) -> Option<KeyId> {
        match &self.action {
            WriteKind::Put(item) => item.key(self.meta.schema),
            WriteKind::Update(key, _) | WriteKind::Delete(key) | WriteKind::Check(key) => {
                KeyId::of_item(&self.meta.schema.key, key)
            }
        }
    }

    /// The update expression, the condition, and the names and values that both refer to.
    pub(crate) fn rendered(&self) -> (Option<String>, Option<String>, Rendered) {
        let mut out = Rendered::default();
        if let WriteKind::Update(_, assignments) = &self.action {
            render(assignments, &mut out);
        }
        let update = std::mem::take(&mut out.expression);
        // A check without an expression is none.
        let needs_none = !matches!(self.action, WriteKind::Check(_));
        if let Some(guard) = self.guard() {
            let condition = self.condition.clone().and(guard.condition());
            condition.render(self.meta.schema.pk(), &mut out);
        } else if !needs_none || self.condition.known() != Some(true) {
            self.condition.render(self.meta.schema.pk(), &mut out);
        }
        let condition = std::mem::take(&mut out.expression);
        let some = |text: String| (!text.is_empty()).then_some(text);
        (some(update), some(condition), out)
    }

    /// Refuses what DynamoDB would refuse.
    pub(crate) fn check(&self) -> Result<()> {
        self.condition.check().map_err(|source| Error::Encode {
            entity: self.meta.name,
            source,
        })?;
        match &self.action {
            WriteKind::Put(item) => item.check(self.meta),
            WriteKind::Update(..) => limits::check(SizeLimit::Item, self.meta, self.size()),
            WriteKind::Delete(_) | WriteKind::Check(_) => Ok(()),
        }
    }

    pub(crate) fn check_expressions(
        &self,
        update: Option<&String>,
        condition: Option<&String>,
        references: &Rendered,
    ) -> Result<()> {
        let both = update.into_iter().chain(condition);
        limits::check_expressions(self.meta, both, references)?;
        condition.map_or(Ok(()), |condition| limits::check_operators(condition))
    }

    /// How many bytes the item has, as far as that is known before: of an update, those that it sets.
    pub(crate) fn size(&self) -> usize {
        match &self.action {
            WriteKind::Put(item) => item.size(),
            WriteKind::Update(key, assignments) => {
                item_size(key) + assignments.iter().map(Assignment::size).sum::<usize>()
            }
            WriteKind::Delete(_) | WriteKind::Check(_) => 0,
        }
    }

    /// No fewer bytes than those, found without counting where there are many.
    pub(crate) fn most_bytes(&self) -> usize {
        match &self.action {
            WriteKind::Put(item) => item.most_bytes(),
            _ => self.size(),
        }
    }

    fn expressions(&self) -> Result<WriteExpressions> {
        let (update, condition, rendered) = self.rendered();
        self.check_expressions(update.as_ref(), condition.as_ref(), &rendered)?;
        let Rendered { names, values, .. } = rendered;
        Ok(WriteExpressions {
            update,
            on_failure: condition.as_ref().map(|_| OnFailure::AllOld),
            condition,
            names: (!names.is_empty()).then(|| names.into_iter().collect()),
            values: (!values.is_empty()).then(|| values.into_iter().collect()),
        })
    }
}

/// The unmet part of a write's precondition, given the item that was found.
pub(crate) fn unmet(needed: Precondition, guard: Option<Guard>, found: Option<&Item>) -> Unmet {
    match (needed, found) {
        (_, Some(found)) if guard.is_some_and(|guard| guard.is_other(found)) => Unmet::OtherEntity,
        (Precondition::MustNotExist, Some(_)) => Unmet::Exists,
        (Precondition::MustExist, None) => Unmet::Missing,
        _ => Unmet::Condition,
    }
}
