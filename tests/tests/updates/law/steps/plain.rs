//! Writes of fields that are keys themselves, and of fields inside of others.

use super::super::model::{Card, Face, Law, Player, card, player, text};
use super::{Step, allow, send, start};
use dyna_runtime::{Error, Table};

pub(super) async fn write_player(db: &Table<Law>, step: Step, ago: &mut Player) {
    let Step { a, b, .. } = step;
    let game = (a > 0).then(|| text("game", a));
    let score = i64::from(b);
    let now = Player::get("p").send(db).await.unwrap();
    let update = Player::update("p");
    let of = start(step, now, ago, |player| player.score = score);
    let loaded = Player::update_loaded(&of);
    match step.verb {
        0 => send(db, step, update.add(Player::SCORE, score)).await,
        1 => send(db, step, update.subtract(Player::SCORE, score)).await,
        2 => send(db, step, update.remove(Player::GAME)).await,
        3 => send(db, step, update.set_if_missing(Player::GAME, game)).await,
        4 => send(db, step, update.set(Player::GAME, game)).await,
        5 => send(db, step, update.set_ranking(game, score)).await,
        6 => send(db, step, loaded.set(Player::GAME, game)).await,
        7 => send(db, step, loaded.set(Player::SCORE, score)).await,
        8 => allow(
            Player {
                game,
                score,
                ..player()
            }
            .put()
            .send(db)
            .await,
        ),
        _ => {
            let upsert = Player::upsert("p").add(Player::SCORE, score);
            send(db, step, upsert.set(Player::GAME, game)).await;
        }
    }
}

pub(super) async fn write_card(db: &Table<Law>, step: Step, ago: &mut Card) {
    let Step { a, b, .. } = step;
    let owner = ["Ann", "ann", "Bob", "Eve"][usize::from(a)];
    let face = Face {
        owner: owner.to_owned(),
        rank: b,
        full_text: text("text", a),
    };
    let now = Card::get("c").send(db).await.unwrap();
    let update = Card::update("c");
    let of = start(step, now, ago, |card| card.face = face.clone());
    let loaded = Card::update_loaded(&of);
    let name = Card::FACE.field(Face::OWNER);
    let rank = Card::FACE.field(Face::RANK);
    let full_text = Card::FACE.field(Face::FULL_TEXT);
    match step.verb {
        0 | 1 => send(db, step, update.set_by_owner(owner, b)).await,
        2 => send(db, step, update.set(full_text, owner)).await,
        3 => refuse(update.set(name, owner).send(db).await),
        4 => refuse(update.add(rank, b).send(db).await),
        5 => send(db, step, loaded.set(name, owner)).await,
        6 => send(db, step, loaded.set(rank, b)).await,
        7 => send(db, step, loaded.set(Card::FACE, &face)).await,
        8 => allow(Card { face, ..card() }.put().send(db).await),
        _ => send(db, step, loaded.set(full_text, owner)).await,
    }
}

/// What would leave a key behind is not sent.
fn refuse(sent: Result<(), Error>) {
    assert!(matches!(sent, Err(Error::Encode { .. })));
}
