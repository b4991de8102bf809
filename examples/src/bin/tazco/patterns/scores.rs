//! `tazco-scores`.

use crate::model::Score;
use dyna_runtime::{Result, Table};

/// `getScoreHistory`, newest first.
pub async fn get_score_history(
    db: &Table<Score>,
    ecosystem_id: &str,
    limit: usize,
) -> Result<Vec<Score>> {
    let history = Score::query(ecosystem_id).descending();
    history.limit(limit).all(db).await
}
