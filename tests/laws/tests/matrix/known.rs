//! What is known to fail on this commit.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::sync::Mutex;

/// The points of the audit that are open, by number, and what the matrix sees of each; from 101 on, what it found besides. To be emptied.
pub(crate) const KNOWN: &[(u8, &str)] = &[];

/// Whether a point is known to fail. `DYNA_MATRIX_STRICT=1,2` says of some that they are not, `DYNA_MATRIX_STRICT=all` of all.
pub(crate) fn is_known(point: u8) -> bool {
    let strict = std::env::var("DYNA_MATRIX_STRICT").unwrap_or_default();
    let is_strict = strict == "all" || strict.split(',').any(|one| one == point.to_string());
    !is_strict && KNOWN.iter().any(|(known, _)| *known == point)
}

static SEEN: Mutex<BTreeSet<(u8, String)>> = Mutex::new(BTreeSet::new());

/// Says, once for each way and past the capture of output, that a known point has failed.
pub(crate) fn tell(point: u8, what: &str) {
    let mut seen = SEEN.lock().unwrap();
    let (way, _) = what.split_once(['`', ':']).unwrap_or((what, ""));
    if seen.insert((point, way.to_owned())) {
        let what: String = what.chars().take(200).collect();
        let _ = writeln!(
            std::io::stderr(),
            "matrix: KNOWN to fail on this commit, point {point}: {what}"
        );
    }
}
