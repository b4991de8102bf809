//! The condition that a write does not touch another entity's item, beside the write's own.

use super::Write;
use crate::codec::Item;
use crate::codec::json::ItemSource;
use crate::entity::owner::claim::Claim;
use crate::entity::{EntityMeta, Named};
use crate::expr::{Expr, Path};
use crate::schema::TagAttribute;
use aws_sdk_dynamodb::types::AttributeValue;

/// Keeps a write from the items of other entities, whose keys are not told apart from those of its own.
#[derive(Clone, Copy)]
pub(crate) struct Guard {
    meta: &'static EntityMeta,
    claim: Claim,
}

impl Guard {
    /// The item is the entity's own, or there is none.
    pub(super) fn condition(self) -> Expr {
        let none = Expr::absent(self.meta.schema.pk());
        let Some(TagAttribute { attribute, .. }) = &self.meta.schema.tag else {
            return none;
        };
        let tag = Path::attribute(attribute);
        let is_own = || {
            let own = AttributeValue::S(self.meta.tag.to_owned());
            Expr::compare(&tag, " = ", &own)
        };
        match self.claim {
            Claim::Nothing => none,
            Claim::Own | Claim::TaggedOnly => none.or(is_own()),
            // What other software has written may have no tag.
            Claim::Tagged => is_own().or(Expr::missing(&tag)),
        }
    }

    /// Whether it has kept the write from an item.
    pub(super) fn is_other(self, item: &Item) -> bool {
        let named = self.meta.named_by(&ItemSource::borrowed(item));
        match self.claim {
            Claim::Own => !matches!(named, Named::This),
            claim => !claim.allows(named),
        }
    }
}

impl Write {
    /// None where the keys of entities are disjoint. Sentinels have keys of their own.
    pub(super) fn guard(&self) -> Option<Guard> {
        let (meta, claim) = (self.meta, self.claim);
        let claim = match claim {
            _ if self.unique.is_some() => return None,
            Claim::Own if !meta.shares_key() => return None,
            Claim::Tagged if meta.schema.tag.is_none() => return None,
            // An item without a tag may be of any of the entities that share their keys.
            Claim::Tagged if meta.shares_key() => Claim::TaggedOnly,
            claim => claim,
        };
        Some(Guard { meta, claim })
    }
}
