//! A sequential model: what each write makes of the table, in terms of fields, and the attributes that must be stored then. It is written
//! from the documentation, and shares no code with the library.

use super::program::{Id, Place, Read, Write};
use super::world::{Account, Note, Page, World};
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(crate) const NEVER: u64 = 4_000_000_000;

/// All items but the records of operations, by their ids. Times are zero.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct State {
    pub(crate) notes: BTreeMap<String, Note>,
    pub(crate) pages: BTreeMap<String, Page>,
    pub(crate) accounts: BTreeMap<String, Account>,
}

/// Why a write is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    Condition,
    Version,
    NotUnique,
}

pub(crate) fn note(id: Id, Place(group, rank): Place, by: u64) -> Note {
    Note {
        id: id.to_owned(),
        group: group.to_owned(),
        rank,
        by,
        count: 0,
        log: vec![by],
    }
}

pub(crate) fn account(id: Id, mail: &str, by: u64) -> Account {
    Account {
        id: id.to_owned(),
        by,
        mail: mail.to_owned(),
        expires: NEVER,
    }
}

pub(crate) fn page(id: Id, by: u64) -> Page {
    Page {
        id: id.to_owned(),
        by,
        version: 0,
        updated: 0,
    }
}

fn refuse_unless(holds: bool, refusal: Refusal) -> Result<(), Refusal> {
    if holds { Ok(()) } else { Err(refusal) }
}

impl State {
    /// The writes together, or the first refusal.
    pub(crate) fn apply_all(
        &self,
        writes: &[(Write, Option<World>)],
        by: u64,
    ) -> Result<Self, Refusal> {
        let mut next = self.clone();
        for (write, loaded) in writes {
            next.apply(*write, loaded.as_ref(), by)?;
        }
        Ok(next)
    }

    fn apply(&mut self, write: Write, loaded: Option<&World>, by: u64) -> Result<(), Refusal> {
        match write {
            Write::CreatePage(_)
            | Write::PutLoadedPage(_)
            | Write::UpdateLoadedPage(_)
            | Write::UpdatePage(_)
            | Write::DeleteLoadedPage(_) => self.apply_to_page(write, loaded, by),
            Write::CreateAccount(..)
            | Write::ChangeLoadedMail(..)
            | Write::TouchAccount(_)
            | Write::DeleteLoadedAccount(_)
            | Write::RekeyLoadedAccount(..) => self.apply_to_account(write, loaded, by),
            _ => self.apply_to_note(write, loaded, by),
        }
    }

    fn apply_to_note(
        &mut self,
        write: Write,
        loaded: Option<&World>,
        by: u64,
    ) -> Result<(), Refusal> {
        use Refusal::Condition;
        let is_below =
            |state: &Self, id, most| state.notes.get(id).is_some_and(|it| it.count < most);
        let put = |state: &mut Self, id: Id, place| {
            state.notes.insert(id.to_owned(), note(id, place, by));
        };
        match write {
            Write::PutNote(id, place) => put(self, id, place),
            Write::CreateNote(id, place) => {
                refuse_unless(!self.notes.contains_key(id), Condition)?;
                put(self, id, place);
            }
            Write::ReplaceNote(id, place) => {
                refuse_unless(self.notes.contains_key(id), Condition)?;
                put(self, id, place);
            }
            Write::PutNoteIfBelow(id, place, most) => {
                refuse_unless(is_below(self, id, most), Condition)?;
                put(self, id, place);
            }
            Write::DeleteNote(id) => {
                self.notes.remove(id);
            }
            Write::DeleteNoteIfBelow(id, most) => {
                refuse_unless(is_below(self, id, most), Condition)?;
                self.notes.remove(id);
            }
            Write::RekeyNote(from, to, place) => {
                refuse_unless(self.notes.contains_key(from), Condition)?;
                refuse_unless(from == to || !self.notes.contains_key(to), Condition)?;
                self.notes.remove(from);
                put(self, to, place);
            }
            Write::CheckNote(id) => refuse_unless(self.notes.contains_key(id), Condition)?,
            Write::UpsertNote(id, Place(group, rank)) => {
                let found = self.notes.entry(id.to_owned()).or_insert_with(|| Note {
                    log: Vec::new(),
                    ..note(id, Place(group, rank), by)
                });
                (found.group, found.rank, found.by) = (group.to_owned(), rank, by);
                found.count += 1;
                found.log.push(by);
            }
            Write::SetNote(id)
            | Write::MoveNote(id, _)
            | Write::RankLoadedNote(id, _)
            | Write::AddToNote(id)
            | Write::AppendToNote(id) => {
                let found = self.notes.get_mut(id).ok_or(Condition)?;
                match write {
                    Write::MoveNote(_, Place(group, rank)) => {
                        (found.group, found.rank) = (group.to_owned(), rank);
                    }
                    Write::RankLoadedNote(_, rank) => {
                        // The key of the index has the group too.
                        let is_same =
                            matches!(loaded, Some(World::Note(it)) if it.group == found.group);
                        refuse_unless(is_same, Condition)?;
                        found.rank = rank;
                    }
                    Write::AddToNote(_) => found.count += 1,
                    Write::AppendToNote(_) => found.log.push(by),
                    _ => {}
                }
                found.by = by;
            }
            _ => unreachable!("not of a note"),
        }
        Ok(())
    }

    fn apply_to_page(
        &mut self,
        write: Write,
        loaded: Option<&World>,
        by: u64,
    ) -> Result<(), Refusal> {
        if let Write::CreatePage(id) = write {
            refuse_unless(!self.pages.contains_key(id), Refusal::Condition)?;
            let first = Page {
                version: 1,
                ..page(id, by)
            };
            self.pages.insert(id.to_owned(), first);
            return Ok(());
        }
        if let Write::UpdatePage(id) = write {
            let found = self.pages.get_mut(id).ok_or(Refusal::Condition)?;
            (found.by, found.version) = (by, found.version + 1);
            return Ok(());
        }
        let Some(World::Page(loaded)) = loaded else {
            unreachable!("nothing was loaded");
        };
        let found = self.pages.get_mut(&loaded.id).ok_or(Refusal::Version)?;
        refuse_unless(found.version == loaded.version, Refusal::Version)?;
        (found.by, found.version) = (by, found.version + 1);
        if let Write::DeleteLoadedPage(id) = write {
            self.pages.remove(id);
        }
        Ok(())
    }

    fn apply_to_account(
        &mut self,
        write: Write,
        loaded: Option<&World>,
        by: u64,
    ) -> Result<(), Refusal> {
        let is_taken = |state: &Self, mail: &str, by_other_than: &str| {
            let mut all = state.accounts.values();
            all.any(|it| it.mail == mail && it.id != by_other_than)
        };
        if let Write::CreateAccount(id, mail) = write {
            refuse_unless(!self.accounts.contains_key(id), Refusal::Condition)?;
            refuse_unless(!is_taken(self, mail, id), Refusal::NotUnique)?;
            self.accounts.insert(id.to_owned(), account(id, mail, by));
            return Ok(());
        }
        if let Write::TouchAccount(id) = write {
            self.accounts.get_mut(id).ok_or(Refusal::Condition)?.by = by;
            return Ok(());
        }
        let Some(World::Account(loaded)) = loaded else {
            unreachable!("nothing was loaded");
        };
        let found = self.accounts.get(&loaded.id).ok_or(Refusal::Condition)?;
        refuse_unless(found.mail == loaded.mail, Refusal::Condition)?;
        match write {
            Write::ChangeLoadedMail(id, mail) => {
                refuse_unless(!is_taken(self, mail, id), Refusal::NotUnique)?;
                self.accounts.insert(id.to_owned(), account(id, mail, by));
            }
            Write::DeleteLoadedAccount(id) => {
                self.accounts.remove(id);
            }
            Write::RekeyLoadedAccount(from, to) => {
                refuse_unless(
                    from == to || !self.accounts.contains_key(to),
                    Refusal::Condition,
                )?;
                self.accounts.remove(from);
                let moved = account(to, &loaded.mail, by);
                self.accounts.insert(to.to_owned(), moved);
            }
            _ => unreachable!("not of an account"),
        }
        Ok(())
    }

    /// What a read returns.
    pub(crate) fn read(&self, read: Read) -> Vec<World> {
        let note = |id: &str| self.notes.get(id).cloned().map(World::Note);
        let page = |id: &str| self.pages.get(id).cloned().map(World::Page);
        let account = |id: &str| self.accounts.get(id).cloned().map(World::Account);
        match read {
            Read::Note(id) => note(id).into_iter().collect(),
            Read::Page(id) => page(id).into_iter().collect(),
            Read::Account(id) => account(id).into_iter().collect(),
            Read::Group(group) => {
                let notes = self.notes.values().filter(|it| it.group == group);
                let mut notes: Vec<Note> = notes.cloned().collect();
                notes.sort_by_key(|it| (it.rank, it.id.clone()));
                notes.into_iter().map(World::Note).collect()
            }
            Read::Batch => ["a", "b"].into_iter().filter_map(note).collect(),
            Read::Transact => {
                let found = [note("a"), page("a"), account("a")];
                found.into_iter().flatten().collect()
            }
            Read::Scan => {
                let notes = self.notes.keys().filter_map(|id| note(id));
                let pages = self.pages.keys().filter_map(|id| page(id));
                let accounts = self.accounts.keys().filter_map(|id| account(id));
                notes.chain(pages).chain(accounts).collect()
            }
        }
    }

    /// Every item that must be stored, by its key: keys are what the fields make, and each unique value has its sentinel.
    pub(crate) fn items(&self) -> BTreeMap<(String, String), Value> {
        let mut items = BTreeMap::new();
        let mut add = |pk: String, sk: &str, mut item: Value| {
            (item["pk"], item["sk"]) = (json!({ "S": pk }), json!({ "S": sk }));
            items.insert((pk, sk.to_owned()), item);
        };
        for it in self.notes.values() {
            let log: Vec<Value> = it.log.iter().map(|by| number(*by)).collect();
            let item = json!({
                "kind": { "S": "Note" },
                "gpk": { "S": format!("GROUP#{}", it.group) },
                "gsk": { "S": format!("{:03}#{}", it.rank, it.id) },
                "id": { "S": it.id },
                "group": { "S": it.group },
                "rank": number(it.rank.into()),
                "by": number(it.by),
                "count": number(it.count),
                "log": { "L": log },
            });
            add(format!("NOTE#{}", it.id), "NOTE", item);
        }
        for it in self.pages.values() {
            let item = json!({
                "kind": { "S": "Page" },
                "id": { "S": it.id },
                "by": number(it.by),
                "version": number(it.version),
            });
            add(format!("PAGE#{}", it.id), "PAGE", item);
        }
        for it in self.accounts.values() {
            let key = format!("ACCOUNT#{}", it.id);
            let item = json!({
                "kind": { "S": "Account" },
                "id": { "S": it.id },
                "by": number(it.by),
                "mail": { "S": it.mail },
                "expires": number(it.expires),
            });
            let owner = json!({ "L": [{ "S": key }, { "S": "ACCOUNT" }] });
            add(key, "ACCOUNT", item);
            let sentinel = json!({ "dyna:owner": owner, "expires": number(it.expires) });
            add(
                format!("UNIQUE#Account#mail#{}", it.mail),
                "UNIQUE",
                sentinel,
            );
        }
        items
    }
}

fn number(value: u64) -> Value {
    json!({ "N": value.to_string() })
}
