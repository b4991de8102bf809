//! Dyna's peers at the same work, each used as its own documentation shows.

mod aymond;
mod facade;
mod modyne;

use dyna_benches::{Contestant, Work, works};

/// All works with all contestants.
pub fn works() -> Vec<Work> {
    works::all()
        .into_iter()
        .map(|work| work.and(peers))
        .collect()
}

/// The peers that can do a piece of work.
fn peers(work: &str) -> impl IntoIterator<Item = Contestant> + use<> {
    let peers = [
        modyne::contestant(work),
        facade::contestant(work),
        aymond::contestant(work),
    ];
    peers.into_iter().flatten()
}
