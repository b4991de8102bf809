//! One write of one item, as data: what single requests, transactions and `explain()` all send from.

pub(crate) mod cancellation;
pub(crate) mod encode;
pub mod returning;
pub(crate) mod sentinel;
pub(crate) mod transaction;
pub(crate) mod update;
pub(crate) mod update_expression;

use crate::codec::Item;
use crate::codec::size::item_size;
use crate::entity::EntityMeta;
use crate::entity::changes::Clause;
use crate::entity::fill::Lock;
use crate::entity::fill::Presence;
use crate::entity::in_place::InPlace;
use crate::error::{Error, Result, SdkError, SizeLimit, Unmet, of_service};
use crate::expr::{Expr, Rendered};
use crate::key::KeyId;
use crate::managed::Unique;
use crate::table::Handle;
use crate::transport::ResponseFuture;
use crate::transport::backoff::{Backoff, Clock};
use crate::transport::limits;
use crate::transport::{CallFailed, CapturedResponse, Form, NewItem, NewItems, Raw};
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
    pub(crate) action: Action,
    /// What it is called in errors: `create`.
    pub(crate) operation: &'static str,
    /// Whether an item must be there, which the condition asks for too.
    pub(crate) presence: Presence,
    /// What must be true of the stored item, or of its absence.
    pub(crate) condition: Expr,
    /// The version that the stored item must have.
    pub(crate) lock: Option<Lock>,
    /// The unique field whose sentinel it writes, if it does.
    pub(crate) unique: Option<&'static Unique>,
    /// The sentinels of unique fields, which are written in the same transaction.
    pub(crate) companions: Vec<Self>,
    /// How the stored item must not store the fields that are changed in place.
    pub(crate) in_place: Vec<InPlace>,
}

/// What a write does.
pub(crate) enum Action {
    /// Writes the item as a whole.
    Put(NewItem),
    /// Changes the item with this key.
    Update(Item, Vec<Clause>),
    /// Deletes the item with this key.
    Delete(Item),
    /// Changes nothing of the item with this key, and only asks for the condition.
    Check(Item),
}

/// The expressions of a write, with what they refer to, as the SDK's builders take them.
struct Expressions {
    /// What changes, if the write is an update.
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
    ($write:expr, $kept:expr, $request:expr, $asked:expr) => {{
        let kept = $kept;
        let sent = $request.customize().interceptor(kept.hook()).send().await;
        match kept.sent(sent, $asked) {
            Ok(output) => kept.item(output, $asked).map_err(Tried::Failed),
            Err(_) if kept.is_unfilled() => Err(Tried::Unfilled),
            Err(error) => Err(Tried::Failed($write.failed(error))),
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
    pub(crate) fn new(meta: &'static EntityMeta, action: Action) -> Self {
        let operation = match &action {
            Action::Put(_) => "put",
            Action::Update(..) => "update",
            Action::Delete(_) => "delete",
            Action::Check(_) => "check",
        };
        Self {
            meta,
            action,
            operation,
            presence: Presence::Any,
            condition: Expr::default(),
            lock: None,
            unique: None,
            companions: Vec::new(),
            in_place: Vec::new(),
        }
    }

    /// Makes a write, if it can be made. The item that is asked for, if there is one.
    pub(crate) fn answer(
        write: Result<Self>,
        db: &Handle,
        which: Which,
    ) -> ResponseFuture<'_, Option<Raw>> {
        Box::pin(async move { write?.send(db.client(), db.form(), db.name()?, which).await })
    }

    async fn send(
        self,
        client: &Client,
        mut form: Form,
        table: &str,
        which: Which,
    ) -> Result<Option<Raw>> {
        if !self.companions.is_empty() || matches!(self.action, Action::Check(_)) {
            return self.send_together(client, form, table, which).await;
        }
        self.check()?;
        let mut backoff = Backoff::tries(CONFLICT_RETRIES);
        loop {
            let tried = self.attempt(client, form, table, which, backoff.clock());
            match tried.await {
                Ok(item) => return Ok(item),
                Err(Tried::Unfilled) => form = Form::Maps,
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
        form: Form,
        table: &str,
        which: Which,
        clock: Clock,
    ) -> Result<Option<Raw>, Tried> {
        let expressions = self.expressions().map_err(Tried::Failed)?;
        let asked = self.meta.asked(table);
        let old = (which == Which::Old).then_some(ReturnValue::AllOld);
        let new = (which == Which::New).then_some(ReturnValue::AllNew);
        let mut items = NewItems::new(form);
        match &self.action {
            Action::Put(item) => {
                let place = items.add(self.meta, item).map_err(Tried::Failed)?;
                let request = client.put_item().table_name(table).set_item(Some(place));
                let request = fill!(request, expressions).set_return_values(old);
                let returned = call!(
                    self,
                    CapturedResponse::writing(items, Some(clock)),
                    request,
                    asked
                )?;
                let written = (which == Which::New).then(|| item.raw());
                Ok(written.or(returned))
            }
            Action::Update(key, _) => {
                let key = Some(key.clone());
                let request = client.update_item().table_name(table).set_key(key);
                let request = request.set_update_expression(expressions.update);
                let request = fill!(request, expressions).set_return_values(old.or(new));
                call!(
                    self,
                    CapturedResponse::writing(items, Some(clock)),
                    request,
                    asked
                )
            }
            Action::Delete(key) => {
                let key = Some(key.clone());
                let request = client.delete_item().table_name(table).set_key(key);
                let request = fill!(request, expressions).set_return_values(old);
                call!(
                    self,
                    CapturedResponse::writing(items, Some(clock)),
                    request,
                    asked
                )
            }
            Action::Check(_) => Ok(None),
        }
    }

    /// Tells a failed condition, with the item that failed it, from all other errors.
    fn failed(&self, mut error: Box<CallFailed>) -> Error {
        let aws_sdk_dynamodb::Error::ConditionalCheckFailedException(failed) = &mut error.source
        else {
            return error.into();
        };
        let item = failed.item.take();
        let entity = self.meta.name;
        let source = SdkError::new(error.source);
        let problem = |item| self.in_place.iter().find_map(|one| one.problem(item));
        if let Some(problem) = item.as_ref().and_then(problem) {
            return Error::StoredOtherwise {
                entity,
                problem,
                source,
            };
        }
        if let Some(lock) = &self.lock
            && lock.is_lost(item.as_ref())
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
            unmet: unmet(self.presence, item.as_ref()),
            item,
            source,
        }
    }

    /// Makes the write in a transaction: with its sentinels, or a check, which DynamoDB makes only there.
    async fn send_together(
        self,
        client: &Client,
        form: Form,
        table: &str,
        which: Which,
    ) -> Result<Option<Raw>> {
        let meta = self.meta;
        let new = match (&self.action, which) {
            // What is created was not there before.
            (_, Which::Neither) | (Action::Put(_), Which::Old) => None,
            (Action::Put(item), Which::New) => Some(item.raw()),
            _ => return Err(Error::CannotReturnItem { entity: meta.name }),
        };
        let operations = Operation::all(table, self, 0);
        let sent = transaction::send(client, form, operations, Sending::default()).await;
        sent.map_err(|error| error.of_one(meta.name))?;
        Ok(new)
    }

    /// The write as an operation of a transaction, which has checked it.
    pub(crate) fn to_operation(
        &self,
        table: &str,
        items: &mut NewItems,
    ) -> Result<sdk::TransactWriteItem> {
        let expressions = self.expressions()?;
        let operation = sdk::TransactWriteItem::builder();
        let operation = match &self.action {
            Action::Put(item) => {
                let item = items.add(self.meta, item)?;
                let put = sdk::Put::builder().table_name(table).set_item(Some(item));
                operation.put(fill!(put, expressions).build().map_err(of_service)?)
            }
            // Without a change it only asks for its conditions, which in a transaction is no update.
            Action::Update(key, _) if expressions.update.is_some() => {
                let update = sdk::Update::builder()
                    .table_name(table)
                    .set_key(Some(key.clone()));
                let update = update.set_update_expression(expressions.update);
                operation.update(fill!(update, expressions).build().map_err(of_service)?)
            }
            Action::Delete(key) => {
                let delete = sdk::Delete::builder()
                    .table_name(table)
                    .set_key(Some(key.clone()));
                operation.delete(fill!(delete, expressions).build().map_err(of_service)?)
            }
            Action::Update(key, _) | Action::Check(key) => {
                let check = sdk::ConditionCheck::builder();
                let check = check.table_name(table).set_key(Some(key.clone()));
                operation.condition_check(fill!(check, expressions).build().map_err(of_service)?)
            }
        };
        Ok(operation.build())
    }

    /// The key of the item.
    pub(crate) fn key(&self) -> Option<KeyId> {
        match &self.action {
            Action::Put(item) => item.key(self.meta.schema),
            Action::Update(key, _) | Action::Delete(key) | Action::Check(key) => {
                KeyId::of_item(&self.meta.schema.key, key)
            }
        }
    }

    /// The update expression, the condition, and the names and values that both refer to.
    pub(crate) fn rendered(&self) -> (Option<String>, Option<String>, Rendered) {
        let mut out = Rendered::default();
        if let Action::Update(_, clauses) = &self.action {
            render(clauses, &mut out);
        }
        let update = std::mem::take(&mut out.expression);
        // A check without an expression is none.
        let needs_none = !matches!(self.action, Action::Check(_));
        if !needs_none || self.condition.known() != Some(true) {
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
            Action::Put(item) => item.check(self.meta),
            Action::Update(..) => limits::check(SizeLimit::Item, self.meta, self.size()),
            Action::Delete(_) | Action::Check(_) => Ok(()),
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
            Action::Put(item) => item.size(),
            Action::Update(key, clauses) => {
                item_size(key) + clauses.iter().map(Clause::size).sum::<usize>()
            }
            Action::Delete(_) | Action::Check(_) => 0,
        }
    }

    /// No fewer bytes than those, found without counting where there are many.
    pub(crate) fn most_bytes(&self) -> usize {
        match &self.action {
            Action::Put(item) => item.most_bytes(),
            _ => self.size(),
        }
    }

    fn expressions(&self) -> Result<Expressions> {
        let (update, condition, rendered) = self.rendered();
        self.check_expressions(update.as_ref(), condition.as_ref(), &rendered)?;
        let Rendered { names, values, .. } = rendered;
        Ok(Expressions {
            update,
            on_failure: condition.as_ref().map(|_| OnFailure::AllOld),
            condition,
            names: (!names.is_empty()).then(|| names.into_iter().collect()),
            values: (!values.is_empty()).then(|| values.into_iter().collect()),
        })
    }
}

/// What a write that needs this did not find, with the item that was found.
pub(crate) fn unmet(needed: Presence, found: Option<&Item>) -> Unmet {
    match (needed, found) {
        (Presence::Absent, Some(_)) => Unmet::Exists,
        (Presence::Present, None) => Unmet::Missing,
        _ => Unmet::Condition,
    }
}
