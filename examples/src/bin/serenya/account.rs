//! One line per item, for people.

use crate::model::{Payment, Subscription, SystemConfig, User};
use crate::patterns::UsageLimit;
use crate::tiers::Tier;
use std::fmt::{Display, Formatter, Result};

impl Display for User {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (name, email) = (&self.data.name, &self.data.email);
        write!(f, "{name} <{email}>, {}", self.data.id)
    }
}

impl Display for Payment {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (amount, currency) = (self.data.amount, &self.data.currency);
        let (date, id) = (self.date, &self.data.payment_id);
        write!(f, "{date} {amount} {currency}, {id}")
    }
}

impl Display for Subscription {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let used = self.usage_current_period.documents_processed;
        let (kind, until) = (self.subscription_type, &self.end_date);
        write!(f, "{kind:?} until {until}, {used} documents processed")
    }
}

impl Display for SystemConfig {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (key, version) = (&self.data.config_key, &self.data.version);
        let most = self.data.limits.max_file_size_mb;
        write!(f, "{key} {version}, files up to {most} MB")
    }
}

impl Display for Tier {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let most = |most: Option<u32>| most.map_or("any".to_owned(), |most| most.to_string());
        let (documents, chats) = (
            most(self.max_documents_per_month),
            most(self.chat_interactions_per_day),
        );
        let (month, year) = (self.monthly_price_usd, self.yearly_price_usd);
        write!(
            f,
            "{}: {month} USD a month, {year} a year; ",
            self.tier_name
        )?;
        write!(f, "{documents} documents a month, {chats} chats a day, ")?;
        write!(
            f,
            "{} GB for {} days, ",
            self.storage_gb, self.retention_days
        )?;
        write!(f, "{} support", self.support_level)?;
        let extras = [
            (self.medical_reports, "medical reports"),
            (self.priority_processing, "priority processing"),
            (self.advanced_analytics, "advanced analytics"),
            (self.export_capabilities, "export"),
        ];
        let extras = extras.iter().filter(|(has, _)| *has);
        extras
            .into_iter()
            .try_for_each(|(_, extra)| write!(f, ", {extra}"))
    }
}

impl Display for UsageLimit {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::NoSubscription => write!(f, "refused: no subscription found"),
            Self::Unlimited => write!(f, "allowed without limit"),
            Self::Limited { usage, limit } if self.is_allowed() => {
                write!(f, "allowed: {usage} of {limit} used")
            }
            Self::Limited { usage, limit } => write!(f, "refused: {usage} of {limit} used"),
        }
    }
}
