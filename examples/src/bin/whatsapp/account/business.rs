//! The same of those that are asked for by their key alone.

use super::Amount;
use crate::model::WebhookConfig;
use crate::model::{Address, Analytics, BusinessProfile, Catalog, FlowResponse, Group};
use crate::model::{PaymentConfig, Quality, Refund, TemplateMedia, TemplateMeta, Tenant};
use std::fmt::{Display, Formatter, Result};

impl Display for Tenant {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}, {}", self.display_name, self.phone_e164)
    }
}

impl Display for PaymentConfig {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let account = self.upi_id.as_ref().or(self.payment_gateway_mid.as_ref());
        let account = account.map_or("none", String::as_str);
        write!(f, "{:?}, {account}, {:?}", self.kind, self.status)
    }
}

impl Display for Refund {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let amount = Amount(self.amount, &self.currency);
        write!(f, "{} of {}: ", self.refund_id, self.order_id)?;
        write!(f, "{amount}, {:?}", self.status)
    }
}

impl Display for BusinessProfile {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self {
            business_name,
            about,
            address,
            ..
        } = self;
        write!(f, "{business_name}, {address}: {about}")
    }
}

impl Display for TemplateMeta {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self {
            template_name,
            language,
            status,
            ..
        } = self;
        write!(f, "{template_name} in {language}: {status:?}")
    }
}

impl Display for TemplateMedia {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(
            f,
            "{}: {}, {} bytes",
            self.media_id, self.s3_key, self.content_length
        )
    }
}

impl Display for Group {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} with {} people", self.name, self.participants.len())
    }
}

impl Display for Catalog {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}: {} products", self.name, self.product_count)
    }
}

impl Display for WebhookConfig {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let enabled = if self.enabled { "enabled" } else { "disabled" };
        write!(f, "webhook of {}, {enabled}", self.waba_meta_id)
    }
}

impl Display for Analytics {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self {
            date,
            messages_sent,
            messages_delivered,
            messages_read,
            ..
        } = self;
        write!(
            f,
            "{date}: {messages_sent} sent, {messages_delivered} delivered, {messages_read} read"
        )
    }
}

impl Display for Quality {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{:?}, {}", self.quality_rating, self.throughput_status)?;
        self.quality_history
            .iter()
            .try_for_each(|change| write!(f, ", was {:?}", change.rating))
    }
}

impl Display for Address {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self {
            address,
            city,
            postal_code,
            ..
        } = self;
        write!(f, "{address}, {city} {postal_code}")
    }
}

impl Display for FlowResponse {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let data = self
            .data
            .iter()
            .map(|(name, value)| format!("{name} = {value}"));
        let data: Vec<_> = data.collect();
        write!(
            f,
            "{} of {}: {}",
            self.response_id,
            self.customer_phone,
            data.join(", ")
        )
    }
}
