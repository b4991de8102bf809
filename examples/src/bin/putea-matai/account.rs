//! One line per item, for people.

use crate::model::{Account, DateRange, Startup, Tag, Transaction, Upload, User};
use std::fmt::{Display, Formatter, Result};

impl Display for Startup {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Profile(user) => write!(f, "profile  {user}"),
            Self::Account(account) => write!(f, "account  {account}"),
            Self::Tag(tag) => write!(f, "tag      {tag}"),
        }
    }
}

impl Display for User {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self { user_id, email, .. } = self;
        let timezone = &self.preferences.timezone;
        write!(f, "{user_id} <{email}>, {timezone}")
    }
}

impl Display for Account {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self { account_id, .. } = self;
        write!(f, "{account_id} \"{}\" in {}", self.name, self.currency)
    }
}

impl Display for Tag {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} \"{}\"", self.tag_id, self.text)
    }
}

impl Display for Transaction {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self {
            date,
            amount,
            currency,
            merchant,
            ..
        } = self;
        let tags = self.tags.join(", ");
        write!(f, "{date} {amount:8.2} {currency}  {merchant} [{tags}]")?;
        if let Some(notes) = &self.notes {
            write!(f, " \"{notes}\"")?;
        }
        match self.annotations.len() {
            0 => Ok(()),
            1 => write!(f, ", 1 annotation"),
            many => write!(f, ", {many} annotations"),
        }
    }
}

impl Display for Upload {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self {
            upload_id, status, ..
        } = self;
        let DateRange { start, end } = self.date_range;
        write!(f, "{upload_id}, {start} to {end}, {status}")
    }
}
