//! One line per item, for people.

mod business;

use crate::model::{Call, Campaign, Config, Conversation, Idempotency, Media, Message, Order};
use crate::model::{Product, StatusUpdate, TemplateEum, Time, WebhookEvent};
use crate::patterns::{Customer, TenantItems};
use dyna_examples::Show;
use std::fmt::{Display, Formatter, Result};

/// An amount in the smallest unit of its currency.
struct Amount<'c>(u64, &'c str);

impl Display for Amount<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self(amount, currency) = self;
        write!(f, "{}.{:02} {currency}", amount / 100, amount % 100)
    }
}

/// A time to the minute.
fn minute(time: Time) -> impl Display {
    time.0.strftime("%Y-%m-%d %H:%M")
}

impl Display for Message {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self {
            sender_name,
            from,
            preview,
            ..
        } = self;
        let time = minute(self.received_at);
        write!(f, "{time} {sender_name} ({from}): {preview}")?;
        match self.delivery_status {
            Some(status) => write!(f, " [{status:?}]"),
            None => Ok(()),
        }
    }
}

impl Display for StatusUpdate {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} {:?}", minute(self.at), self.status)
    }
}

impl Display for Conversation {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self {
            from,
            unread_count,
            last_preview,
            ..
        } = self;
        let time = minute(self.received_at);
        write!(f, "{time} {from}, {unread_count} unread: {last_preview}")
    }
}

impl Display for Order {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self {
            order_id,
            customer_phone,
            total_amount,
            currency,
            payment_status,
            ..
        } = self;
        let total = Amount(*total_amount, currency);
        write!(
            f,
            "{order_id} of {customer_phone}: {total}, {payment_status}"
        )
    }
}

impl Display for Product {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self {
            retailer_id,
            name,
            price,
            currency,
            ..
        } = self;
        write!(f, "{retailer_id} {name}: {}", Amount(*price, currency))
    }
}

impl Display for TemplateEum {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self {
            template_name,
            template_language,
            template_status,
            waba_id,
            ..
        } = self;
        write!(
            f,
            "{template_name} in {template_language} of {waba_id}: {template_status:?}"
        )
    }
}

impl Display for Campaign {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self {
            name,
            sent_count,
            delivered_count,
            read_count,
            ..
        } = self;
        write!(
            f,
            "{name}: {sent_count} sent, {delivered_count} delivered, {read_count} read"
        )
    }
}

impl Display for Call {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(
            f,
            "{} from {}: {:?} after {} s",
            self.call_id, self.from, self.status, self.duration
        )
    }
}

impl Display for Config {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self {
            kind, updated_at, ..
        } = self;
        match (&self.vpc_endpoint, &self.supported_types) {
            (Some(endpoint), _) => write!(f, "{kind:?}: {endpoint}, of {updated_at}"),
            (_, Some(types)) => {
                let types: Vec<_> = types.values().flatten().map(String::as_str).collect();
                write!(f, "{kind:?}: {}, of {updated_at}", types.join(", "))
            }
            (None, None) => write!(f, "{kind:?}, of {updated_at}"),
        }
    }
}

impl Display for Media {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(
            f,
            "{}: {}, until {}",
            self.media_id, self.s3_key, self.expires_at
        )
    }
}

impl Display for WebhookEvent {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(
            f,
            "{} {} {}",
            self.received_at, self.event_type, self.event_id
        )
    }
}

impl Display for Idempotency {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self {
            request_id,
            processed_at,
            ttl,
            ..
        } = self;
        write!(f, "{request_id} answered at {processed_at}, goes at {ttl}")
    }
}

impl Show for Customer {
    fn lines(&self) -> Vec<String> {
        let Self {
            orders,
            refunds,
            addresses,
        } = self;
        let mut lines = orders.lines();
        lines.extend(refunds.lines());
        lines.extend(addresses.lines());
        lines
    }
}

impl Show for TenantItems {
    fn lines(&self) -> Vec<String> {
        let Self {
            tenant,
            payment_configs,
            orders,
            refunds,
        } = self;
        let mut lines = tenant.lines();
        lines.extend(payment_configs.lines());
        lines.push(format!("{orders} orders, {refunds} refunds"));
        lines
    }
}
