//! `tazco-audit-logs`.

use crate::model::AuditLog;
use dyna_runtime::{Result, Table};

type Db = Table<AuditLog>;

/// What was done to something, newest first.
pub async fn find_by_target(
    db: &Db,
    target_type: &str,
    target_id: &str,
    limit: usize,
) -> Result<Vec<AuditLog>> {
    let logs = AuditLog::query(target_type, target_id).descending();
    logs.limit(limit).all(db).await
}

/// What an admin did, newest first.
pub async fn find_by_actor(
    db: &Db,
    admin_ecosystem_id: &str,
    limit: usize,
) -> Result<Vec<AuditLog>> {
    let logs = AuditLog::by_actor(admin_ecosystem_id).descending();
    logs.limit(limit).all(db).await
}
