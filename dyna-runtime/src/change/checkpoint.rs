//! How far a reader of changes has come, and where that is kept.

use crate::entity::{BatchWritable, Entity, EntityMeta, Key};
use crate::error::{Error, Result};
use crate::key::KeyId;
use crate::request::{Get, Put};
use crate::table::{HasEntity, Table};
use crate::transport::ResponseFuture;
use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// How far a reader of changes has come in each shard of the stream.
///
/// As text it is one word for each shard: `shardId-0001:4421584500000000017450439092`, or `shardId-0001:end` of one that was read to its
/// end. A shard takes about 90 bytes; DynamoDB keeps shards for 24 hours.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Positions(pub(super) BTreeMap<String, Position>);

/// How far a reader has come in a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Position {
    /// Behind the record with this sequence number.
    After(String),
    /// At the end of a shard that is closed.
    End,
}

impl Positions {
    /// Whether there are none: nothing was read yet.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Positions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (shard, position)) in self.0.iter().enumerate() {
            let space = if n == 0 { "" } else { " " };
            match position {
                Position::After(sequence) => write!(f, "{space}{shard}:{sequence}")?,
                Position::End => write!(f, "{space}{shard}:end")?,
            }
        }
        Ok(())
    }
}

impl FromStr for Positions {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let position = |word: &str| {
            let (shard, position) = word.split_once(':')?;
            let is_number = !position.is_empty() && position.bytes().all(|it| it.is_ascii_digit());
            let position = match position {
                "end" => Position::End,
                sequence if is_number => Position::After(sequence.to_owned()),
                _ => return None,
            };
            (!shard.is_empty()).then(|| (shard.to_owned(), position))
        };
        let positions: Option<_> = text.split_whitespace().map(position).collect();
        let problem = "the text is not that of a checkpoint";
        positions.map(Self).ok_or_else(|| Error::Checkpoint {
            problem: problem.to_owned(),
        })
    }
}

/// Where a reader of changes keeps how far it has come: [`FileCheckpoints`], [`EntityCheckpoints`], or one of yours.
///
/// Each reader has a checkpoint of its own: two readers that share one would overwrite each other's.
pub trait Checkpoints: Send + Sync + 'static {
    /// The stored positions; none if nothing was stored yet.
    fn load(&self) -> ResponseFuture<'_, Positions>;

    /// Stores the positions in place of the former ones: all of them or, if it fails, none.
    fn store<'c>(&'c self, positions: &'c Positions) -> ResponseFuture<'c, ()>;

    /// The entity that the positions are stored in, if it may be one of the table whose changes are read: the reader leaves out its
    /// changes, since each checkpoint would cause the next one.
    fn entity(&self) -> Option<&'static EntityMeta> {
        None
    }
}

/// A checkpoint in a file. It is written beside its place, flushed, and moved there, so that a crash leaves the former one or the new one.
///
/// The file is read and written on the thread that polls.
#[derive(Debug, Clone)]
pub struct FileCheckpoints {
    path: PathBuf,
}

impl FileCheckpoints {
    /// The checkpoint in this file, which need not be there yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    fn read(&self) -> Result<Positions> {
        match std::fs::read_to_string(&self.path) {
            Ok(text) => text.parse(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Positions::default()),
            Err(error) => Err(self.failed(&error)),
        }
    }

    fn write(&self, positions: &Positions) -> Result<()> {
        let mut beside = self.path.clone().into_os_string();
        beside.push(".new");
        let write = |beside: &Path| {
            let mut file = std::fs::File::create(beside)?;
            writeln!(file, "{positions}")?;
            file.sync_all()?;
            std::fs::rename(beside, &self.path)
        };
        write(Path::new(&beside)).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &std::io::Error) -> Error {
        Error::Checkpoint {
            problem: format!("file {}: {error}", self.path.display()),
        }
    }
}

impl Checkpoints for FileCheckpoints {
    fn load(&self) -> ResponseFuture<'_, Positions> {
        Box::pin(async { self.read() })
    }

    fn store<'c>(&'c self, positions: &'c Positions) -> ResponseFuture<'c, ()> {
        Box::pin(async { self.write(positions) })
    }
}

/// An entity that holds the checkpoint of a reader as text: [`EntityCheckpoints`].
pub trait CheckpointRecord: Entity + BatchWritable + Clone + Send + Sync + 'static {
    /// The text that the record stores; empty if there is none.
    fn checkpoint(&self) -> &str;

    /// Stores the text in the record.
    fn set_checkpoint(&mut self, text: String);
}

/// A checkpoint in an item: of an entity of the table whose changes are read, or of another table.
///
/// ```
/// use dyna_runtime::change::{CheckpointRecord, EntityCheckpoints};
/// # use dyna_runtime::{DynaEntity, DynaTable};
/// # use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, Serialize, Deserialize, DynaEntity, DynaTable)]
/// #[dyna(table(name = "readers", pk = "pk"), pk = "READER#<name>")]
/// struct Reader {
///     name: String,
///     positions: String,
/// }
///
/// impl CheckpointRecord for Reader {
///     fn checkpoint(&self) -> &str {
///         &self.positions
///     }
///
///     fn set_checkpoint(&mut self, text: String) {
///         self.positions = text;
///     }
/// }
///
/// # fn checkpoints(db: &dyna_runtime::Table<Reader>) -> EntityCheckpoints<Reader, Reader> {
/// let reader = Reader { name: "mailer".to_owned(), positions: String::new() };
/// let checkpoints = EntityCheckpoints::new(db, reader);
/// # checkpoints }
/// ```
///
/// In the table whose changes are read, the changes of this entity are left out of them: each checkpoint would cause the next one.
pub struct EntityCheckpoints<T, E> {
    db: Table<T>,
    record: E,
}

impl<T: HasEntity<E>, E: CheckpointRecord> EntityCheckpoints<T, E> {
    /// The checkpoint in the item that has the key of this record. Its other fields are stored with it.
    pub fn new(db: &Table<T>, record: E) -> Self {
        let db = db.clone();
        Self { db, record }
    }
}

impl<T: HasEntity<E>, E: CheckpointRecord> Checkpoints for EntityCheckpoints<T, E> {
    fn load(&self) -> ResponseFuture<'_, Positions> {
        Box::pin(async {
            let item = self.record.encode()?;
            let id = KeyId::of_item(&E::META.schema.key, &item).ok_or(Error::Internal {
                entity: E::META.name,
                what: "an item without its key",
            })?;
            let key = Key::<E>::from_id(id);
            let stored = Get::new(key).consistent().send(&self.db).await?;
            let stored = stored.as_ref().unwrap_or(&self.record);
            stored.checkpoint().parse()
        })
    }

    fn store<'c>(&'c self, positions: &'c Positions) -> ResponseFuture<'c, ()> {
        Box::pin(async move {
            let mut record = self.record.clone();
            record.set_checkpoint(positions.to_string());
            Put::new(&record).send(&self.db).await
        })
    }

    fn entity(&self) -> Option<&'static EntityMeta> {
        Some(E::META)
    }
}

impl<T, E: Entity> fmt::Debug for EntityCheckpoints<T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EntityCheckpoints({})", E::META.name)
    }
}
