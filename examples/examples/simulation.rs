//! Finds a bug of a program by running it on a network that fails: `cargo run -p dyna-examples --example simulation`.

use dyna_runtime::simulate::Simulation;
use dyna_runtime::{DynaEntity, DynaTable, Result, Table};
use serde::{Deserialize, Serialize};

const PAYMENTS: u64 = 20;

#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "wallets", pk = "pk"), pk = "WALLET#<id>")]
struct Wallet {
    id: String,
    spent: u64,
}

/// Pays one coin, and tries again until it works. On an engine that always responds, every test of it passes.
async fn pay(db: &Table<Wallet>) -> Result<()> {
    while let Err(error) = Wallet::update("ann").add(Wallet::SPENT, 1).send(db).await {
        eprintln!("  once more: {error}");
    }
    Ok(())
}

/// The same, and exact: DynamoDB knows a repeated attempt by its token, and only what was certainly not applied is sent again.
async fn pay_once(db: &Table<Wallet>) -> Result<()> {
    loop {
        match Wallet::update("ann")
            .add(Wallet::SPENT, 1)
            .once()
            .send(db)
            .await
        {
            Err(error) if !error.is_outcome_unknown() => {}
            done => return done,
        }
    }
}

/// Pays twenty coins in a simulation. Whether as many are stored as were acknowledged, or at most so many more as are in doubt.
async fn is_exact(
    seed: u64,
    pay: impl AsyncFn(&Table<Wallet>) -> Result<()>,
) -> Result<(bool, Simulation<Wallet>)> {
    let sim = Wallet::simulated(seed).await?;
    let ann = Wallet {
        id: "ann".to_owned(),
        spent: 0,
    };
    ann.create().send(&sim.direct()).await?;
    let db = sim.client();
    let mut acknowledged = 0;
    for _ in 0..PAYMENTS {
        acknowledged += u64::from(pay(&db).await.is_ok());
    }
    sim.wait(std::time::Duration::from_secs(10)).await;
    let stored = Wallet::get("ann").consistent().send(&sim.direct()).await?;
    let spent = stored.map_or(0, |wallet| wallet.spent);
    Ok(((acknowledged..=PAYMENTS).contains(&spent), sim))
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() -> Result<()> {
    let mut found = None;
    for seed in 0..100 {
        let (is_exact, sim) = is_exact(seed, pay).await?;
        if !is_exact {
            found = Some(sim);
            break;
        }
    }
    let found = found.expect("one of a hundred seeds finds it");
    let seed = found.seed();
    println!("`pay` spends more than {PAYMENTS} coins with seed {seed}. What happened:\n");
    println!("{}", found.trace());
    let (is_exact_again, again) = is_exact(seed, pay).await?;
    assert!(!is_exact_again && again.trace() == found.trace());
    println!("The same seed makes the same run. `pay_once`, with the same hundred seeds:");
    for seed in 0..100 {
        assert!(is_exact(seed, pay_once).await?.0, "seed {seed}");
    }
    println!("every coin was spent once");
    Ok(())
}
