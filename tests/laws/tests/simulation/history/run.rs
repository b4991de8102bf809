//! Runs a program in a simulation, and keeps what every client was told.

use super::model::{NEVER, State, account, note, page};
use super::program::{Bug, GROUPS, IDS, Op, Place, Program, Read, Write};
use super::requests::{alone, request, together};
use super::world::{Account, Job, Note, Page, World, bare};
use dyna_runtime::simulate::{AppliedWrite, Simulation};
use dyna_runtime::{Error, Table};
use std::time::Duration;

/// From when to when: so many writes had been applied, and so much time had passed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) begun: Duration,
}

/// What a read returned.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) read: Read,
    pub(super) is_consistent: bool,
    pub(super) found: Vec<World>,
    pub(super) span: Span,
}

/// What a client was told of its write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    Done,
    Unknown,
    ConditionFailed,
    VersionConflict,
    NotUnique,
    /// It failed for another reason, and nothing was written.
    Failed,
    /// There was nothing to write to.
    NotSent,
}

/// What a client was told of an operation that runs once.
#[derive(Debug, Clone, Copy)]
pub(super) struct RanJob {
    pub(super) id: &'static str,
    pub(super) has_run: bool,
    pub(super) output: Option<u64>,
}

/// What became of one operation.
#[derive(Debug, Clone)]
pub(super) struct Event {
    pub(super) number: u64,
    pub(super) op: Op,
    /// The writes, each with what was loaded for it.
    pub(super) writes: Vec<(Write, Option<World>)>,
    pub(super) seen: Vec<Seen>,
    pub(super) told: Told,
    pub(super) job: Option<RanJob>,
    pub(super) span: Span,
}

/// What happened in a run.
pub(super) struct History {
    pub(super) begin: State,
    pub(super) events: Vec<Event>,
    pub(super) applied: Vec<AppliedWrite>,
    pub(super) attempts: usize,
    pub(super) faults: usize,
}

/// Half of the items are there from the beginning.
fn begin() -> State {
    let mut state = State::default();
    let first = Place(GROUPS[0], 1);
    state.notes.insert("a".to_owned(), note("a", first, 0));
    let first = Page {
        version: 1,
        ..page("a", 0)
    };
    state.pages.insert("a".to_owned(), first);
    let first = account("a", "m1", 0);
    state.accounts.insert("a".to_owned(), first);
    state
}

pub(super) fn run(program: &Program) -> History {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().start_paused(true).build().unwrap();
    runtime.block_on(run_clients(program))
}

async fn run_clients(program: &Program) -> History {
    let faults = program.faults();
    let sim = Simulation::<World>::new(program.seed, faults)
        .await
        .unwrap();
    let (begin, direct) = (begin(), sim.direct());
    begin.notes["a"].create().send(&direct).await.unwrap();
    page("a", 0).create().send(&direct).await.unwrap();
    begin.accounts["a"].create().send(&direct).await.unwrap();
    // What reads that are behind see is not before this.
    sim.wait(Duration::from_secs(10)).await;
    sim.record_writes().unwrap();
    let mut clients = tokio::task::JoinSet::new();
    for ops in program.clients.clone() {
        let (sim, bug) = (sim.clone(), program.bug);
        clients.spawn(async move {
            let mut events = Vec::new();
            for (number, op) in ops {
                let mut client = Client::new(&sim, number, bug);
                events.push(client.run(op).await);
            }
            events
        });
    }
    let events = clients.join_all().await.into_iter().flatten().collect();
    // What is still on its way arrives.
    sim.wait(Duration::from_secs(10)).await;
    let trace = sim.trace();
    let faults = trace.attempts().iter().filter(|it| it.fault.is_some());
    History {
        begin,
        events,
        applied: sim.recorded_writes(),
        attempts: trace.attempts().len(),
        faults: faults.count(),
    }
}

/// The client of one operation.
struct Client<'s> {
    sim: &'s Simulation<World>,
    db: Table<World>,
    number: u64,
    bug: Bug,
}

impl<'s> Client<'s> {
    fn new(sim: &'s Simulation<World>, number: u64, bug: Bug) -> Self {
        let db = sim.numbered_client(number);
        Self {
            sim,
            db,
            number,
            bug,
        }
    }

    fn span(&self) -> Span {
        let now = self.sim.applied_writes();
        Span {
            from: now,
            to: now,
            begun: elapsed(self.sim),
        }
    }

    fn end(&self, span: &mut Span) {
        span.to = self.sim.applied_writes();
    }

    async fn run(&mut self, op: Op) -> Event {
        let mut event = Event {
            number: self.number,
            op: op.clone(),
            writes: Vec::new(),
            seen: Vec::new(),
            told: Told::NotSent,
            job: None,
            span: self.span(),
        };
        match op {
            Op::Read(read) => event.seen.extend(self.read(read, false).await),
            Op::ConsistentRead(read) => event.seen.extend(self.read(read, true).await),
            Op::Write(write) => self.write(&mut event, &[write], false).await,
            Op::Once(write) => self.write(&mut event, &[write], true).await,
            Op::Batch(writes) => {
                event.writes = writes.iter().map(|write| (*write, None)).collect();
                event.told = self.batch(&writes).await;
            }
            Op::Transact(writes) => self.write(&mut event, &writes, true).await,
            Op::Job(id) => event.job = Some(self.job(id).await),
        }
        self.end(&mut event.span);
        event
    }

    /// Loads what the writes are about, and sends them.
    async fn write(&mut self, event: &mut Event, writes: &[Write], is_once: bool) {
        for write in writes {
            let mut loaded = None;
            if let Some(read) = write.loads() {
                let Some(seen) = self.read(read, true).await else {
                    return;
                };
                loaded = seen.found.first().cloned();
                event.seen.push(seen);
                if loaded.is_none() {
                    return;
                }
            }
            event.writes.push((*write, loaded));
        }
        let is_together = matches!(event.op, Op::Transact(_));
        event.span = self.span();
        let sent = match event.writes.as_slice() {
            [(write, loaded)] if !is_together => self.send(*write, loaded.as_ref(), is_once).await,
            writes => self.transact(writes).await,
        };
        event.told = self.told(sent);
    }

    async fn send(&self, write: Write, loaded: Option<&World>, is_once: bool) -> Result<(), Error> {
        let bare = || Table::<bare::World>::open(self.db.client().clone());
        match (self.bug, write) {
            (Bug::SentinelLeftOut, Write::CreateAccount(id, mail)) => {
                let account = bare::Account {
                    id: id.to_owned(),
                    by: self.number,
                    mail: mail.to_owned(),
                    expires: NEVER,
                };
                return account.create().send(&bare()).await;
            }
            (Bug::IndexKeyLeftOut, Write::MoveNote(id, Place(group, rank))) => {
                let moved = bare::Note::update(id).set(bare::Note::BY, self.number);
                let moved = moved.set(bare::Note::RANK, rank);
                return moved.set(bare::Note::GROUP, group).send(&bare()).await;
            }
            (Bug::VersionIgnored, Write::UpdateLoadedPage(id)) => {
                let update = Page::update(id).set(Page::BY, self.number);
                return update.send(&self.db).await;
            }
            _ => {}
        }
        let with = (self, is_once && self.bug != Bug::OnceDropped);
        request!(alone, with, write, loaded, self.number)
    }

    async fn transact(&self, writes: &[(Write, Option<World>)]) -> Result<(), Error> {
        let mut transaction = self.db.transact();
        for (write, loaded) in writes {
            transaction = request!(together, transaction, *write, loaded.as_ref(), self.number);
        }
        transaction.send().await
    }

    async fn batch(&self, writes: &[Write]) -> Told {
        let mut batch = self.db.batch_write();
        for write in writes {
            batch = match *write {
                Write::PutNote(id, place) => batch.put(&note(id, place, self.number)),
                Write::DeleteNote(id) => batch.delete(Note::key(id)),
                _ => unreachable!("not in a batch"),
            };
        }
        match batch.send().await {
            Ok(left) if left.is_empty() => Told::Done,
            Ok(_) => Told::Unknown,
            Err(error) => self.told(Err(error)),
        }
    }

    fn told(&self, sent: Result<(), Error>) -> Told {
        let Err(error) = sent else {
            return Told::Done;
        };
        if error.is_outcome_unknown() && self.bug != Bug::UnknownIsFailure {
            Told::Unknown
        } else if error.is_version_conflict() {
            Told::VersionConflict
        } else if error.is_not_unique() {
            Told::NotUnique
        } else if error.is_condition_failed() {
            Told::ConditionFailed
        } else {
            Told::Failed
        }
    }

    async fn job(&self, id: &'static str) -> RanJob {
        let job = Job {
            id: id.to_owned(),
            holder: None,
            output: None,
            expires: 0,
        };
        let mut has_run = false;
        let once = self.db.once(job).lock_for(Duration::from_hours(1));
        let output = once.run(|| {
            has_run = true;
            async { Ok::<_, Error>(self.number) }
        });
        let output = output.await.ok();
        RanJob {
            id,
            has_run,
            output,
        }
    }

    /// What a read returns, unless it fails.
    async fn read(&self, read: Read, is_consistent: bool) -> Option<Seen> {
        let db = &self.db;
        let mut span = self.span();
        // A global index has no consistent reads, and a transaction no others.
        let is_consistent = match read {
            Read::Group(_) => false,
            Read::Transact => true,
            _ => is_consistent,
        };
        macro_rules! get {
            ($entity:ident, $id:expr) => {{
                let get = $entity::get($id);
                let get = if is_consistent { get.consistent() } else { get };
                let found = get.send(db).await.ok()?;
                found.into_iter().map(World::$entity).collect()
            }};
        }
        let found: Vec<World> = match read {
            Read::Note(id) => get!(Note, id),
            Read::Page(id) => get!(Page, id),
            Read::Account(id) => get!(Account, id),
            Read::Group(group) => {
                let found = Note::by_group(group).all(db).await.ok()?;
                found.into_iter().map(World::Note).collect()
            }
            Read::Scan => {
                let all = World::scan();
                let all = if is_consistent { all.consistent() } else { all };
                all.all(db).await.ok()?
            }
            Read::Batch => {
                let get = db.batch_get(IDS.map(Note::key));
                let get = if is_consistent { get.consistent() } else { get };
                let found = get.await.ok()?.items.into_iter().flatten();
                found.map(World::Note).collect()
            }
            Read::Transact => {
                let keys = (Note::key("a"), Page::key("a"), Account::key("a"));
                let (note, page, account) = db.transact_get(keys).await.ok()?;
                let found = [
                    note.map(World::Note),
                    page.map(World::Page),
                    account.map(World::Account),
                ];
                found.into_iter().flatten().collect()
            }
        };
        self.end(&mut span);
        let mut found: Vec<World> = found.into_iter().filter_map(without_times).collect();
        if read == Read::Scan {
            // The order of partitions is the server's.
            found.sort_by_key(scan_order);
        }
        Some(Seen {
            read,
            is_consistent,
            found,
            span,
        })
    }
}

fn scan_order(item: &World) -> (u8, String) {
    match item {
        World::Note(it) => (0, it.id.clone()),
        World::Page(it) => (1, it.id.clone()),
        World::Account(it) => (2, it.id.clone()),
        World::Job(it) => (3, it.id.clone()),
    }
}

/// As the model has it; it has no records of operations.
fn without_times(item: World) -> Option<World> {
    match item {
        World::Page(page) => Some(World::Page(Page { updated: 0, ..page })),
        World::Job(_) => None,
        other => Some(other),
    }
}

fn elapsed(sim: &Simulation<World>) -> Duration {
    let begin = std::time::UNIX_EPOCH + Duration::from_hours(490_896);
    sim.now().duration_since(begin).unwrap()
}
