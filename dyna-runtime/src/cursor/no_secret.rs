//! In place of `secret` without the feature `cursor-secret`: no handle has a secret.

use super::CursorError;
use super::origin::Digest;

/// There is none.
#[derive(Debug, Clone)]
pub(crate) enum CursorSecret {}

impl CursorSecret {
    pub(super) fn seal(&self, _: &Digest, _: &[u8]) -> Result<Vec<u8>, CursorError> {
        match *self {}
    }

    pub(super) fn open(&self, _: &Digest, _: &[u8]) -> Result<Vec<u8>, CursorError> {
        match *self {}
    }
}
