//! Cursors that a client can neither change nor, if they are encrypted, read.

use super::origin::Digest;
use super::{AUTHENTICATED, CursorError, ENCRYPTED, bind, unbind};
use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{KeyInit, XChaCha20Poly1305};
use hmac::{Hmac, Mac};
use sha2::Sha256;
use std::fmt;
use zeroize::Zeroizing;

/// Shortest secret, in bytes.
const MIN: usize = 16;
/// Length of the tag of an authenticated cursor, in bytes.
const TAG: usize = 16;
/// Length of the nonce of an encrypted cursor, in bytes.
const NONCE: usize = 24;

/// The key that authenticates or encrypts the cursors of a table's handle. A handle with a secret takes no cursors without, nor one without
/// a secret those with.
///
/// The secret is a key, not a password: at least 16 random bytes, the same on every server that shares cursors. It is
/// cleared from memory when it is dropped.
///
/// A secret is replaced without breaking the cursors that clients hold:
///
/// ```
/// use dyna_runtime::CursorSecret;
/// use dyna_runtime::error::CursorError;
///
/// # fn main() -> Result<(), CursorError> {
/// # let (new, old) = ([7; 32], [8; 32]);
/// let secret = CursorSecret::encrypting(new)?.also_accept(CursorSecret::encrypting(old)?);
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct CursorSecret {
    first: SecretKey,
    older: Vec<SecretKey>,
}

#[derive(Clone)]
struct SecretKey {
    form: SealMode,
    bytes: Zeroizing<[u8; 32]>,
}

#[derive(Clone, Copy, PartialEq)]
enum SealMode {
    Authenticated,
    Encrypted,
}

impl CursorSecret {
    /// Cursors that cannot be changed, only read: HMAC-SHA256 with a tag of 16 bytes. The secret has at least 16 bytes.
    pub fn authenticating(secret: impl AsRef<[u8]>) -> Result<Self, CursorError> {
        Self::new(SealMode::Authenticated, secret.as_ref())
    }

    /// Cursors that can be neither changed nor read: XChaCha20-Poly1305 with a random nonce. What still shows is the
    /// length. The secret has at least 16 bytes.
    pub fn encrypting(secret: impl AsRef<[u8]>) -> Result<Self, CursorError> {
        Self::new(SealMode::Encrypted, secret.as_ref())
    }

    /// Takes cursors of another secret too; new ones are made with this one.
    pub fn also_accept(mut self, older: Self) -> Self {
        self.older.push(older.first);
        self.older.extend(older.older);
        self
    }

    fn new(form: SealMode, secret: &[u8]) -> Result<Self, CursorError> {
        if secret.len() < MIN {
            return Err(CursorError::WeakSecret);
        }
        // So that no key serves two algorithms, even if one secret is given to both.
        let mut bytes = Zeroizing::new([0; 32]);
        bytes.copy_from_slice(&hmac(secret, form.purpose())?.finalize().into_bytes());
        Ok(Self {
            first: SecretKey { form, bytes },
            older: Vec::new(),
        })
    }

    pub(super) fn seal(&self, digest: &Digest, key: &[u8]) -> Result<Vec<u8>, CursorError> {
        self.first.seal(digest, key)
    }

    pub(super) fn open(&self, digest: &Digest, bytes: &[u8]) -> Result<Vec<u8>, CursorError> {
        std::iter::once(&self.first)
            .chain(&self.older)
            .filter(|key| bytes.first() == Some(&key.form.byte()))
            .map(|key| key.open(digest, bytes))
            .find(|opened| *opened != Err(CursorError::Forged))
            .unwrap_or(Err(CursorError::Forged))
    }
}

impl SealMode {
    fn byte(self) -> u8 {
        match self {
            Self::Authenticated => AUTHENTICATED,
            Self::Encrypted => ENCRYPTED,
        }
    }

    fn purpose(self) -> &'static [u8] {
        match self {
            Self::Authenticated => b"dyna cursor authenticating",
            Self::Encrypted => b"dyna cursor encrypting",
        }
    }
}

impl SecretKey {
    fn seal(&self, digest: &Digest, key: &[u8]) -> Result<Vec<u8>, CursorError> {
        match self.form {
            SealMode::Authenticated => self.authenticate(bind(AUTHENTICATED, digest, key)),
            SealMode::Encrypted => self.encrypt(digest, key),
        }
    }

    fn open(&self, digest: &Digest, bytes: &[u8]) -> Result<Vec<u8>, CursorError> {
        match self.form {
            SealMode::Authenticated => match self.verify(bytes)? {
                [_, bound @ ..] => unbind(digest, bound).map(<[u8]>::to_vec),
                [] => Err(CursorError::Malformed),
            },
            SealMode::Encrypted => self.decrypt(digest, bytes),
        }
    }

    fn authenticate(&self, mut bytes: Vec<u8>) -> Result<Vec<u8>, CursorError> {
        let tag = hmac(&*self.bytes, &bytes)?.finalize().into_bytes();
        bytes.extend(tag.iter().take(TAG));
        Ok(bytes)
    }

    /// The authenticated bytes, if the tag is right.
    fn verify<'b>(&self, bytes: &'b [u8]) -> Result<&'b [u8], CursorError> {
        let (bytes, tag) = bytes
            .split_last_chunk::<TAG>()
            .ok_or(CursorError::Malformed)?;
        match hmac(&*self.bytes, bytes)?.verify_truncated_left(tag) {
            Ok(()) => Ok(bytes),
            Err(_) => Err(CursorError::Forged),
        }
    }

    fn encrypt(&self, digest: &Digest, msg: &[u8]) -> Result<Vec<u8>, CursorError> {
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce).map_err(|_| CursorError::NoRandomness)?;
        let aad = &associated(digest);
        let sealed = self
            .cipher()
            .encrypt(&nonce.into(), Payload { msg, aad })
            .map_err(|_| CursorError::KeyNotSupported)?;
        Ok([&[ENCRYPTED], &nonce[..], &sealed].concat())
    }

    fn decrypt(&self, digest: &Digest, bytes: &[u8]) -> Result<Vec<u8>, CursorError> {
        let (nonce, msg) = bytes
            .split_first()
            .and_then(|(_, sealed)| sealed.split_first_chunk::<NONCE>())
            .ok_or(CursorError::Malformed)?;
        let aad = &associated(digest);
        self.cipher()
            .decrypt(&(*nonce).into(), Payload { msg, aad })
            .map_err(|_| CursorError::Forged)
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new((&*self.bytes).into())
    }
}

/// The associated data of an encrypted cursor.
fn associated(digest: &Digest) -> Vec<u8> {
    [&[ENCRYPTED], &digest[..]].concat()
}

/// HMAC takes keys of any length: there is no key that it refuses.
fn hmac(key: &[u8], message: &[u8]) -> Result<Hmac<Sha256>, CursorError> {
    let mac = Hmac::new_from_slice(key).map_err(|_| CursorError::WeakSecret)?;
    Ok(Mac::chain_update(mac, message))
}

impl fmt::Debug for CursorSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CursorSecret(..)")
    }
}
