//! One line per item, for people.

use crate::model::{Call, Campaign, Config, Conversation, Idempotency, Media, Message, Order};
use crate::model::{Product, TemplateEum, WebhookEvent};
use crate::patterns::{Customer, TenantItems};
use dyna_examples::Show;
use std::fmt::{Display, Formatter, Result};

impl Display for Message {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self {
            received_at,
            from,
            to,
            preview,
            ..
        } = self;
        write!(f, "{received_at} {from} to {to}: {preview}")?;
        match self.delivery_status {
            Some(status) => write!(
                f,
                " ({status:?}, {} updates)",
                self.delivery_status_history.len()
            ),
            None => Ok(()),
        }
    }
}

impl Display for Conversation {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self {
            received_at,
            from,
            unread_count,
            last_preview,
            ..
        } = self;
        write!(
            f,
            "{received_at} {from}, {unread_count} unread: {last_preview}"
        )
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
        write!(
            f,
            "{order_id} of {customer_phone}: {total_amount} {currency}, {payment_status}"
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
        write!(f, "{retailer_id} {name}: {price} {currency}")
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
        let endpoint = self.vpc_endpoint.as_deref().unwrap_or("no endpoint");
        write!(f, "{:?}: {endpoint}, of {}", self.kind, self.updated_at)
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
        lines.extend(refunds.iter().map(|refund| {
            format!(
                "{} of {}: {:?}",
                refund.refund_id, refund.order_id, refund.status
            )
        }));
        lines.extend(addresses.iter().map(|address| {
            format!(
                "{}, {} {}",
                address.address, address.city, address.postal_code
            )
        }));
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
        let tenant = tenant
            .iter()
            .map(|tenant| format!("{}, {}", tenant.display_name, tenant.phone_e164));
        let configs = payment_configs
            .iter()
            .map(|config| format!("paid by {}", config.config_name));
        let counts = [format!("{orders} orders, {refunds} refunds")];
        tenant.chain(configs).chain(counts).collect()
    }
}
