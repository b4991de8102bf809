//! Programs: what each client does, one operation after the other, and the faults that happen to it.

use dyna_runtime::simulate::{Fault, Faults};
use fastrand::Rng;
use std::time::Duration;

pub(crate) const IDS: [&str; 2] = ["a", "b"];
pub(crate) const GROUPS: [&str; 2] = ["x", "y"];
const MAILS: [&str; 3] = ["m1", "m2", "m3"];

pub(crate) type Id = &'static str;

/// Where a note is in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place(pub(crate) &'static str, pub(crate) u32);

/// One write. Those on what was loaded read the item first, consistently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Write {
    PutNote(Id, Place),
    CreateNote(Id, Place),
    ReplaceNote(Id, Place),
    PutNoteIfBelow(Id, Place, u64),
    SetNote(Id),
    MoveNote(Id, Place),
    RankLoadedNote(Id, u32),
    AddToNote(Id),
    AppendToNote(Id),
    UpsertNote(Id, Place),
    DeleteNote(Id),
    DeleteNoteIfBelow(Id, u64),
    RekeyNote(Id, Id, Place),
    CheckNote(Id),
    CreatePage(Id),
    PutLoadedPage(Id),
    UpdateLoadedPage(Id),
    UpdatePage(Id),
    DeleteLoadedPage(Id),
    CreateAccount(Id, &'static str),
    ChangeLoadedMail(Id, &'static str),
    TouchAccount(Id),
    DeleteLoadedAccount(Id),
    RekeyLoadedAccount(Id, Id),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Read {
    Note(Id),
    Page(Id),
    Account(Id),
    /// A query of the index.
    Group(&'static str),
    Scan,
    Batch,
    Transact,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Op {
    Read(Read),
    ConsistentRead(Read),
    Write(Write),
    Once(Write),
    Batch(Vec<Write>),
    Transact(Vec<Write>),
    /// An operation that runs once per key.
    Job(Id),
}

/// How programs are run wrongly, so that the checker has something to find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bug {
    None,
    /// `.once()` is left out.
    OnceDropped,
    /// An unknown outcome is taken for a failure.
    UnknownIsFailure,
    /// An account is created without the sentinel of its unique value.
    SentinelLeftOut,
    /// A page that was loaded is written whatever its version is.
    VersionIgnored,
    /// A note is moved without the key of the index.
    IndexKeyLeftOut,
}

/// What each client does. The number of an operation stays when others are left out, and with it the faults that happen to it.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    pub(crate) seed: u64,
    pub(crate) clients: Vec<Vec<(u64, Op)>>,
    pub(crate) faults: Vec<(Fault, f64)>,
    pub(crate) do_clocks_jump: bool,
    /// How far reads that are not consistent may be behind.
    pub(crate) lag: Option<Duration>,
    pub(crate) bug: Bug,
}

const FAULTS: [Fault; 12] = [
    Fault::Reset,
    Fault::LateArrival,
    Fault::LostResponse,
    Fault::TruncatedResponse,
    Fault::SlowResponse,
    Fault::InternalError,
    Fault::Unavailable,
    Fault::Throttled,
    Fault::TransactionConflict,
    Fault::TransactionInProgress,
    Fault::PartialBatch,
    Fault::ExpiredCredentials,
];

impl Program {
    pub(crate) fn of(seed: u64, bug: Bug) -> Self {
        let mut rng = Rng::with_seed(seed);
        let clients = rng.usize(2..=4);
        let mut number = 0;
        let mut client = |rng: &mut Rng| {
            let ops = rng.usize(4..=9);
            let op = |_| {
                number += 1;
                (number, op(rng))
            };
            (0..ops).map(op).collect::<Vec<_>>()
        };
        let clients = (0..clients).map(|_| client(&mut rng)).collect();
        // Few kinds often, or all of them.
        let kinds = *rng.choice(&[1, 2, 4, FAULTS.len()]).unwrap();
        let mut faults = FAULTS;
        rng.shuffle(&mut faults);
        let rate = *rng.choice(&[0.1, 0.3, 0.5]).unwrap();
        let each = rate / f64::from(u32::try_from(kinds).unwrap());
        Self {
            seed,
            clients,
            faults: faults[..kinds].iter().map(|fault| (*fault, each)).collect(),
            do_clocks_jump: rng.bool(),
            lag: rng.bool().then(|| Duration::from_millis(rng.u64(50..2000))),
            bug,
        }
    }

    pub(crate) fn faults(&self) -> Faults {
        let faults = self.faults.iter();
        let faults = faults.fold(Faults::none(), |all, (fault, rate)| all.with(*fault, *rate));
        let jumps = if self.do_clocks_jump { 0.1 } else { 0.0 };
        let faults = faults.clock_jumps(jumps, Duration::from_mins(1));
        match self.lag {
            Some(lag) => faults.stale_indexes(0.5, lag).stale_reads(0.3, lag),
            None => faults,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.clients.iter().map(Vec::len).sum()
    }
}

impl std::fmt::Display for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "seed {}, faults {:?}", self.seed, self.faults)?;
        writeln!(
            f,
            "clocks jump: {}, reads are behind by up to {:?}",
            self.do_clocks_jump, self.lag
        )?;
        for (client, ops) in self.clients.iter().enumerate() {
            for (number, op) in ops {
                writeln!(f, "client {client}, operation {number}: {op:?}")?;
            }
        }
        Ok(())
    }
}

fn op(rng: &mut Rng) -> Op {
    match rng.u8(..10) {
        0 => Op::Read(read(rng)),
        1 => Op::ConsistentRead(read(rng)),
        2..=4 => Op::Write(write(rng)),
        5 | 6 => Op::Once(write(rng)),
        7 => Op::Batch(
            IDS.into_iter()
                .map(|id| match rng.u8(..3) {
                    0 => Write::DeleteNote(id),
                    _ => Write::PutNote(id, place(rng)),
                })
                .collect(),
        ),
        8 => Op::Transact(transaction(rng)),
        _ => Op::Job(id(rng)),
    }
}

fn id(rng: &mut Rng) -> Id {
    rng.choice(IDS).unwrap()
}

fn place(rng: &mut Rng) -> Place {
    Place(rng.choice(GROUPS).unwrap(), rng.u32(..5))
}

fn read(rng: &mut Rng) -> Read {
    match rng.u8(..8) {
        0 => Read::Note(id(rng)),
        1 => Read::Page(id(rng)),
        2 => Read::Account(id(rng)),
        3 | 4 => Read::Group(rng.choice(GROUPS).unwrap()),
        5 => Read::Scan,
        6 => Read::Batch,
        _ => Read::Transact,
    }
}

/// A write that can be sent alone.
fn write(rng: &mut Rng) -> Write {
    let (one, other) = (id(rng), id(rng));
    match rng.u8(..23) {
        0 => Write::PutNote(one, place(rng)),
        1 => Write::CreateNote(one, place(rng)),
        2 => Write::ReplaceNote(one, place(rng)),
        3 => Write::PutNoteIfBelow(one, place(rng), 3),
        4 => Write::SetNote(one),
        5 => Write::MoveNote(one, place(rng)),
        6 => Write::RankLoadedNote(one, rng.u32(..5)),
        7 => Write::AddToNote(one),
        8 => Write::AppendToNote(one),
        9 => Write::UpsertNote(one, place(rng)),
        10 => Write::DeleteNote(one),
        11 => Write::DeleteNoteIfBelow(one, 3),
        12 => Write::RekeyNote(one, other, place(rng)),
        13 => Write::CreatePage(one),
        14 => Write::PutLoadedPage(one),
        15 => Write::UpdateLoadedPage(one),
        16 => Write::UpdatePage(one),
        17 => Write::DeleteLoadedPage(one),
        18 => Write::CreateAccount(one, rng.choice(MAILS).unwrap()),
        19 => Write::ChangeLoadedMail(one, rng.choice(MAILS).unwrap()),
        20 => Write::TouchAccount(one),
        21 => Write::DeleteLoadedAccount(one),
        _ => Write::RekeyLoadedAccount(one, other),
    }
}

/// Writes of different items.
fn transaction(rng: &mut Rng) -> Vec<Write> {
    let mut writes: Vec<Write> = Vec::new();
    for _ in 0..rng.usize(1..=3) {
        let next = match rng.u8(..5) {
            0 => Write::CheckNote(id(rng)),
            _ => write(rng),
        };
        // DynamoDB takes one write of an item; of two accounts, one sentinel may be written twice.
        let is_apart = |other: &Write| other.items().iter().all(|it| !next.items().contains(it));
        if writes.iter().all(is_apart) {
            writes.push(next);
        }
    }
    writes
}

impl Write {
    /// The items that it writes, by kind and id. All accounts count as one.
    fn items(self) -> Vec<(char, Id)> {
        match self {
            Self::RekeyNote(one, other, _) => vec![('n', one), ('n', other)],
            Self::PutNote(id, _)
            | Self::CreateNote(id, _)
            | Self::ReplaceNote(id, _)
            | Self::PutNoteIfBelow(id, ..)
            | Self::SetNote(id)
            | Self::MoveNote(id, _)
            | Self::RankLoadedNote(id, _)
            | Self::AddToNote(id)
            | Self::AppendToNote(id)
            | Self::UpsertNote(id, _)
            | Self::DeleteNote(id)
            | Self::DeleteNoteIfBelow(id, _)
            | Self::CheckNote(id) => vec![('n', id)],
            Self::CreatePage(id)
            | Self::PutLoadedPage(id)
            | Self::UpdateLoadedPage(id)
            | Self::UpdatePage(id)
            | Self::DeleteLoadedPage(id) => vec![('p', id)],
            Self::CreateAccount(..)
            | Self::ChangeLoadedMail(..)
            | Self::TouchAccount(_)
            | Self::DeleteLoadedAccount(_)
            | Self::RekeyLoadedAccount(..) => vec![('a', "")],
        }
    }

    /// What it loads first.
    pub(crate) fn loads(self) -> Option<Read> {
        match self {
            Self::RankLoadedNote(id, _) => Some(Read::Note(id)),
            Self::PutLoadedPage(id) | Self::UpdateLoadedPage(id) | Self::DeleteLoadedPage(id) => {
                Some(Read::Page(id))
            }
            Self::ChangeLoadedMail(id, _)
            | Self::DeleteLoadedAccount(id)
            | Self::RekeyLoadedAccount(id, _) => Some(Read::Account(id)),
            _ => None,
        }
    }

    /// Whether it is a transaction with a token also when it is sent alone.
    pub(crate) fn is_transaction(self) -> bool {
        matches!(
            self,
            Self::RekeyNote(..)
                | Self::CreateAccount(..)
                | Self::DeleteLoadedAccount(_)
                | Self::RekeyLoadedAccount(..)
        )
    }
}
