//! Items that other software wrote into the table: what is ours is read, what is not is left out, and nothing vanishes.

use super::case::{Case, How};
use super::known::{is_known, tell};
use super::plain::{Plain, text};
use super::rng::Rng;
use super::world::{Checked, World};
use dyna_runtime::{Error, Get, Put};

/// Runs all probes.
pub(crate) async fn probes<C: Case>() -> Vec<String> {
    let mut failures = Vec::new();
    let probes = [
        (9, "unknown item", unknown::<C>().await),
        (9, "misfit in a scan", misfit::<C>("ODD").await),
        (104, "misfit in a query", misfit::<C>("ITEM#x").await),
        (9, "limit beside what cannot be read", limit::<C>().await),
        (9, "NULL as a tag", null_tag::<C>().await),
        (12, "NULL", null::<C>().await),
        (12, "NULL as a time of expiry", null_expiry::<C>().await),
        (11, "set in a list", set_in_a_list::<C>().await),
        (13, "alias after an update", alias::<C>().await),
        (101, "alias in other reads", aliased::<C>().await),
        (6, "last version", last_version::<C>().await),
        (0, "item of a twin", twin::<C>().await),
    ];
    for (point, what, probe) in probes {
        let Err(problem) = probe else { continue };
        let problem = format!("{what}: {problem}");
        if is_known(point) {
            tell(point, &problem);
        } else {
            failures.push(format!("(point {point}) {problem}"));
        }
    }
    failures
}

/// A table with some items, each in a partition of its own or not.
async fn begin<C: Case>() -> World<C> {
    let mut rng = Rng::new(11);
    let beside = C::make(&mut rng);
    let mut world = World::<C>::new(beside).await;
    for _ in 0..4 {
        let given = C::make(&mut rng);
        let want = world.create(&given);
        let sent = Put::create(&given).send(&world.db).await;
        world.settle(want, sent).await.unwrap();
    }
    world
}

/// An item of an entity that a newer version of the program knows: reads of others do not see it, one of the table tells.
async fn unknown<C: Case>() -> Checked {
    let world = begin::<C>().await;
    for like in world.model.values().cloned().collect::<Vec<_>>() {
        let mut alien = like.stored();
        alien.insert("sk", text("ZEBRA#1"));
        alien.insert("entityType", text("Zebra"));
        world.put_raw(alien).await;
        let both = like.both(&world.db).await;
        both.map_err(|error| format!("a collection fails: {error}"))?;
        let all = C::scanned(&world.db).await;
        let all = all.map_err(|error| format!("a scan fails: {error}"))?;
        if all.len() != world.model.len() {
            return Err(format!("a scan gives {} items", all.len()));
        }
        for at in 0..C::KEYS.len() {
            let found = match like.all(&world.db, at) {
                Some(found) => found,
                None => match like.hydrated(&world.db, at) {
                    Some(found) => found,
                    None => continue,
                },
            };
            let found = found.await;
            let accessor = C::KEYS[at].accessor;
            let found = found.map_err(|error| format!("{accessor} fails: {error}"))?;
            if found
                .iter()
                .any(|one| !world.model.values().any(|two| one == two))
            {
                return Err(format!("{accessor} gives the unknown item"));
            }
        }
    }
    match C::table(&world.db).await {
        Err(_) => Ok(()),
        Ok(_) => Err("a scan of the table does not tell of it".to_owned()),
    }
}

/// An item with our tag whose key is not ours: an error, not silence.
async fn misfit<C: Case>(sk: &str) -> Checked {
    let world = begin::<C>().await;
    let like = world.model.values().next().unwrap();
    let mut item = like.stored();
    item.insert("sk", text(sk));
    world.put_raw(item).await;
    if C::scanned(&world.db).await.is_ok() {
        return Err("a scan is silent".to_owned());
    }
    if sk.starts_with("ITEM#") && like.all(&world.db, 0).unwrap().await.is_ok() {
        return Err("a query is silent".to_owned());
    }
    match C::table(&world.db).await {
        Ok(_) => Err("a scan of the table is silent".to_owned()),
        Err(_) => Ok(()),
    }
}

/// `limit` counts what is yielded, and `skip_unreadable` loses nothing else.
async fn limit<C: Case>() -> Checked {
    let world = begin::<C>().await;
    for like in world.model.values().take(1) {
        let mut item = like.stored();
        for sk in ["ITEM#!", "ITEM#x"] {
            item.insert("sk", text(sk));
            world.put_raw(item.clone()).await;
        }
        let (mut found, mut unreadable, mut cursor) = (Vec::new(), 0, None);
        loop {
            let page = like.readable(&world.db, cursor).await;
            let page = page.map_err(|error| format!("a page fails: {error}"))?;
            unreadable += page.skipped.unreadable.len();
            cursor = page.next;
            if page.items.len() > 2 || (cursor.is_some() && page.items.len() < 2) {
                return Err(format!("a page has {} items", page.items.len()));
            }
            found.extend(page.items);
            if cursor.is_none() {
                break;
            }
        }
        if found != world.members(like, 0) {
            return Err(format!("pages give {found:?}"));
        }
        if unreadable != 2 {
            return Err(format!("pages tell of {unreadable} items"));
        }
    }
    Ok(())
}

/// A tag that is NULL is none. Under a key that entities share, it is needed.
async fn null_tag<C: Case>() -> Checked {
    let world = begin::<C>().await;
    for tag in [Some(Plain::Null), None] {
        for thing in world.model.values() {
            let mut item = thing.stored();
            item.0.remove("entityType");
            item.option("entityType", tag.clone());
            world.put_raw(item).await;
        }
        if C::FEATURES.contains(&"shared_key") {
            untagged(&world).await?;
        } else {
            world.read_all(&world.beside.clone()).await?;
        }
    }
    Ok(())
}

/// Items that could be another entity's too: a read by their keys fails, other reads leave them out.
async fn untagged<C: Case>(world: &World<C>) -> Checked {
    for thing in world.model.values() {
        for key in [thing.key_of(), thing.raw_key_of()] {
            let found = Get::new(key).send(&world.db).await;
            if !matches!(found, Err(Error::Misfit { .. })) {
                return Err(format!("get gives {found:?}"));
            }
        }
        let page = thing.readable(&world.db, None).await;
        let page = page.map_err(|error| format!("a query fails: {error}"))?;
        if !page.items.is_empty() || page.skipped.unknown == 0 {
            return Err(format!("a query gives {page:?}"));
        }
    }
    let all = C::scanned(&world.db).await;
    let all = all.map_err(|error| format!("a scan fails: {error}"))?;
    if !all.is_empty() {
        return Err(format!("a scan gives {all:?}"));
    }
    match C::table(&world.db).await {
        Err(_) => Ok(()),
        Ok(_) => Err("a scan of the table does not tell of them".to_owned()),
    }
}

/// NULL reads as `None`, in every read and condition.
async fn null<C: Case>() -> Checked {
    let world = begin::<C>().await;
    for thing in world.model.values() {
        let mut item = thing.stored();
        for name in C::OPTIONS {
            item.0.entry((*name).to_owned()).or_insert(Plain::Null);
        }
        world.put_raw(item).await;
    }
    world.read_all(&world.beside.clone()).await
}

/// What has NULL for a time of expiry has not expired.
async fn null_expiry<C: Case>() -> Checked {
    let world = begin::<C>().await;
    for thing in world.model.values().filter(|one| one.ends().is_none()) {
        let mut item = thing.stored();
        item.insert("ttl", Plain::Null);
        world.put_raw(item).await;
    }
    if C::FEATURES.contains(&"ttl") {
        world.read_all(&world.beside.clone()).await
    } else {
        Ok(())
    }
}

/// A set that is read into a list would be written back as a list.
async fn set_in_a_list<C: Case>() -> Checked {
    let Some(name) = C::PLAIN_LIST else {
        return Ok(());
    };
    let world = begin::<C>().await;
    let thing = world.model.values().next().unwrap();
    let mut item = thing.stored();
    item.insert(name, Plain::Ss(["a".to_owned()].into()));
    world.put_raw(item).await;
    match Get::new(thing.key_of()).send(&world.db).await {
        Ok(_) => Err("is read as a list".to_owned()),
        Err(_) => Ok(()),
    }
}

/// An item with the alias of a field is read by every kind of read.
async fn aliased<C: Case>() -> Checked {
    let Some((name, alias)) = C::ALIAS else {
        return Ok(());
    };
    let world = begin::<C>().await;
    for thing in world.model.values() {
        let mut item = thing.stored();
        let value = item.0.remove(name).unwrap();
        item.insert(alias, value);
        world.put_raw(item).await;
    }
    world.read_all(&world.beside.clone()).await
}

/// An item with the alias of a field can still be read after every update.
async fn alias<C: Case>() -> Checked {
    let Some((name, alias)) = C::ALIAS else {
        return Ok(());
    };
    let changes = C::changes();
    for (at, change) in changes.iter().enumerate() {
        for how in [How::Alone, How::Once, How::Together] {
            for is_loaded in [false, true] {
                let mut world = begin::<C>().await;
                let thing = world.model.values().next().unwrap().clone();
                let mut item = thing.stored();
                let value = item.0.remove(name).unwrap();
                item.insert(alias, value);
                world.put_raw(item).await;
                let new = C::make(&mut Rng::new(12));
                let apply = |v: &mut C| (change.apply)(v, &new);
                let want = world.change_of(&thing, apply);
                let sent = if is_loaded {
                    thing.change_of(&world.db, at, &new, how)
                } else {
                    thing.change_by_key(&world.db, at, &new, how)
                };
                let Some(sent) = sent else { continue };
                let sent = sent.await;
                if want.must == super::world::Must::Succeed {
                    sent.map_err(|error| format!("{} fails: {error}", change.name))?;
                    world.model = want.after;
                }
                let read = Get::new(thing.key_of()).send(&world.db).await;
                let read = read.map_err(|error| format!("{}: {error}", change.name))?;
                if read.as_ref() != world.model.get(&thing.id()) {
                    return Err(format!("{} gives {read:?}", change.name));
                }
            }
        }
    }
    Ok(())
}

/// An item of another entity under the key of one of ours is neither read nor changed, by whatever write.
async fn twin<C: Case>() -> Checked {
    let world = begin::<C>().await;
    let mut rng = Rng::new(13);
    let is_free = |one: &C| !world.model.contains_key(&one.id());
    let like = std::iter::repeat_with(|| C::make(&mut rng)).find(is_free);
    let like = like.unwrap();
    let Some(twin) = like.twin() else {
        return Ok(());
    };
    world.put_raw(twin).await;
    let before = world.raw().await;
    let db = &world.db;
    let mut writes = vec![
        ("create", Put::create(&like).send(db).await),
        ("delete_loaded", like.delete_loaded().send(db).await),
    ];
    if let Some(put) = like.put_of() {
        writes.push(("put", put.send(db).await));
    }
    if let Some(replace) = like.replace_of() {
        writes.push(("replace", replace.send(db).await));
    }
    if let Some(delete) = like.delete_at() {
        writes.push(("delete", delete.send(db).await));
    }
    if let Some(upsert) = like.upsert_of() {
        writes.push(("upsert", upsert.send(db).await));
    }
    for (at, change) in C::changes().iter().enumerate() {
        for how in [How::Alone, How::Together] {
            let new = C::make(&mut Rng::new(12));
            if let Some(sent) = like.change_by_key(db, at, &new, how) {
                writes.push((change.name, sent.await));
            }
            if let Some(sent) = like.change_of(db, at, &new, how) {
                writes.push((change.name, sent.await));
            }
        }
    }
    for (what, sent) in writes {
        match sent {
            Ok(()) => return Err(format!("{what} writes over it")),
            Err(error) if error.is_condition_failed() => {}
            // A unique value that is not there, or a version that is another one.
            Err(error) if error.is_version_conflict() || error.is_not_unique() => {}
            Err(error) => return Err(format!("{what}: {error}")),
        }
    }
    if world.raw().await != before {
        return Err("it was changed".to_owned());
    }
    let read = Get::new(like.key_of()).send(db).await;
    let all = C::scanned(db).await.map(|all| all.len());
    match (read, all) {
        (Ok(None), Ok(count)) if count == world.model.len() => Ok(()),
        read => Err(format!("it is read: {read:?}")),
    }
}

/// A stored version that is the last of its type is not counted on.
async fn last_version<C: Case>() -> Checked {
    let mut world = begin::<C>().await;
    let mut thing = world.model.values().next().unwrap().clone();
    let Some(version) = thing.version() else {
        return Ok(());
    };
    *version = u64::MAX;
    world.put_raw(thing.stored()).await;
    world.model.insert(thing.id(), thing.clone());
    let mut writes = Vec::new();
    let new = C::make(&mut Rng::new(12));
    if let Some(put) = thing.put_of() {
        writes.push(("put", put.send(&world.db)));
        let put = thing.put_of().unwrap();
        writes.push(("put in a transaction", How::Together.put(&world.db, put)));
    }
    writes.extend(
        thing
            .replace_of()
            .map(|put| ("replace", put.send(&world.db))),
    );
    writes.extend(
        thing
            .change_by_key(&world.db, 0, &new, How::Alone)
            .map(|sent| ("update", sent)),
    );
    writes.extend(
        thing
            .change_of(&world.db, 0, &new, How::Alone)
            .map(|sent| ("update_loaded", sent)),
    );
    let moved = {
        let mut moved = new.clone();
        *moved.version().unwrap() = u64::MAX;
        moved
    };
    writes.push(("rekey_loaded", thing.move_loaded(&moved).send(&world.db)));
    for (what, sent) in writes {
        if sent.await.is_ok() {
            let read = Get::new(thing.key_of()).send(&world.db).await;
            let read = read.map(|_| ()).map_err(|error| error.to_string());
            return Err(format!("{what} counts on; then a read gives {read:?}"));
        }
        world.compare().await?;
    }
    Ok(())
}
