//! Counting items.

use crate::error::{Error, Result};
use crate::read::Order;
use crate::read::merge::Merge;
use crate::read::merge::MergeOptions;
use crate::read::pager::{ItemTest, count_only};
use crate::read::run::Run;
use crate::transport::{Decode, RawItem};
use std::sync::Arc;

/// What counting does with a misfit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnMisfit {
    Fail,
    Skip,
}

/// Fails if an item is a misfit, or cannot be read to tell.
pub(crate) type CountCheck = Arc<dyn Fn(&RawItem) -> Result<()> + Send + Sync>;

/// The check of items that are counted: those of a handle that checks keys are decoded for it.
pub(crate) fn count_check<V: 'static>(decode: Decode<V>) -> CountCheck {
    Arc::new(move |item| {
        if !item.checks_keys() {
            return item.check();
        }
        match item.clone().decode(decode) {
            // An item of no entity counts, where it was not left out before.
            Ok(_) | Err(Error::UnknownItem { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    })
}

/// How many items the calls have, up to the limit of the plan.
pub(crate) async fn count(mut run: Run, check: CountCheck, misfits: OnMisfit) -> Result<usize> {
    if misfits == OnMisfit::Skip {
        let check = Arc::clone(&check);
        let counts: ItemTest = Arc::new(move |item| check(item).is_ok());
        count_only(&mut run.pagers, &counts);
    }
    let order = Order::Any;
    let mut merge = Merge::new(run.pagers, MergeOptions { order, ..run.plan });
    let mut count = 0;
    while let Some(item) = merge.next().await {
        let (_, item) = item?;
        match check(&item) {
            Ok(()) => count += 1,
            Err(_) if misfits == OnMisfit::Skip => {}
            Err(error) => return Err(error),
        }
    }
    Ok(count)
}
