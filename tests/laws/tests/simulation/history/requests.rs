//! The request that each write of a program is, to be sent alone or in a transaction. The types of the requests differ, so that these are
//! macros, which are expanded in `run`.

/// Sends one write alone.
macro_rules! alone {
    ($client:expr, rekey, $request:expr) => {
        $request.send(&$client.0.db).await
    };
    ($client:expr, check, $request:expr) => {
        $client.0.db.transact().check($request).send().await
    };
    ($client:expr, $verb:ident, $request:expr) => {
        if $client.1 {
            $request.once().send(&$client.0.db).await
        } else {
            $request.send(&$client.0.db).await
        }
    };
}

/// Adds one write to a transaction.
macro_rules! together {
    ($transaction:expr, $verb:ident, $request:expr) => {
        $transaction.$verb($request)
    };
}

/// The request that a write is, handed to one of the macros above.
macro_rules! request {
    ($to:ident, $with:expr, $write:expr, $loaded:expr, $by:expr) => {
        match ($write, $loaded) {
            (Write::PutNote(id, place), _) => $to!($with, put, note(id, place, $by).put()),
            (Write::CreateNote(id, place), _) => $to!($with, put, note(id, place, $by).create()),
            (Write::ReplaceNote(id, place), _) => $to!($with, put, note(id, place, $by).replace()),
            (Write::PutNoteIfBelow(id, place, most), _) => $to!(
                $with,
                put,
                note(id, place, $by).put().when(Note::COUNT.lt(most))
            ),
            (Write::SetNote(id), _) => $to!($with, update, Note::update(id).set(Note::BY, $by)),
            (Write::MoveNote(id, Place(group, rank)), _) => $to!(
                $with,
                update,
                Note::update(id)
                    .set_by_group(group, rank)
                    .set(Note::BY, $by)
            ),
            (Write::RankLoadedNote(_, rank), Some(World::Note(loaded))) => $to!(
                $with,
                update,
                Note::update_loaded(loaded)
                    .set(Note::RANK, rank)
                    .set(Note::BY, $by)
            ),
            (Write::AddToNote(id), _) => $to!(
                $with,
                update,
                Note::update(id).add(Note::COUNT, 1).set(Note::BY, $by)
            ),
            (Write::AppendToNote(id), _) => $to!(
                $with,
                update,
                Note::update(id).append(Note::LOG, [$by]).set(Note::BY, $by)
            ),
            (Write::UpsertNote(id, Place(group, rank)), _) => $to!(
                $with,
                update,
                Note::upsert(id)
                    .set_by_group(group, rank)
                    .set(Note::BY, $by)
                    .add(Note::COUNT, 1)
                    .append(Note::LOG, [$by])
            ),
            (Write::DeleteNote(id), _) => $to!($with, delete, Note::delete(id)),
            (Write::DeleteNoteIfBelow(id, most), _) => {
                $to!($with, delete, Note::delete(id).when(Note::COUNT.lt(most)))
            }
            (Write::RekeyNote(from, to, place), _) => $to!(
                $with,
                rekey,
                Note::rekey(Note::key(from), &note(to, place, $by))
            ),
            (Write::CheckNote(id), _) => $to!($with, check, Note::check(id).exists()),
            (Write::CreatePage(id), _) => $to!($with, put, page(id, $by).create()),
            (Write::PutLoadedPage(_), Some(World::Page(loaded))) => $to!(
                $with,
                put,
                Page {
                    by: $by,
                    ..loaded.clone()
                }
                .put()
            ),
            (Write::UpdateLoadedPage(_), Some(World::Page(loaded))) => $to!(
                $with,
                update,
                Page::update_loaded(loaded).set(Page::BY, $by)
            ),
            (Write::UpdatePage(id), _) => $to!($with, update, Page::update(id).set(Page::BY, $by)),
            (Write::DeleteLoadedPage(_), Some(World::Page(loaded))) => {
                $to!($with, delete, Page::delete_loaded(loaded))
            }
            (Write::CreateAccount(id, mail), _) => {
                $to!($with, put, account(id, mail, $by).create())
            }
            (Write::ChangeLoadedMail(_, mail), Some(World::Account(loaded))) => $to!(
                $with,
                update,
                Account::update_loaded(loaded)
                    .set(Account::MAIL, mail)
                    .set(Account::BY, $by)
            ),
            (Write::TouchAccount(id), _) => {
                $to!($with, update, Account::update(id).set(Account::BY, $by))
            }
            (Write::DeleteLoadedAccount(_), Some(World::Account(loaded))) => {
                $to!($with, delete, Account::delete_loaded(loaded))
            }
            (Write::RekeyLoadedAccount(_, to), Some(World::Account(loaded))) => $to!(
                $with,
                rekey,
                Account::rekey_loaded(loaded, &account(to, &loaded.mail, $by))
            ),
            (write, loaded) => unreachable!("{write:?} of {loaded:?}"),
        }
    };
}

pub(super) use {alone, request, together};
