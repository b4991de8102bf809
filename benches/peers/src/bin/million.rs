//! Writes a million items in batches and reads them back in a parallel scan, on the embedded engine: with Dyna, and with the SDK and
//! `serde_dynamo`. Each in a process of its own, so that its peak of memory is its own. The engine does most of the work, so this says
//! what is left of the difference in practice.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{PutRequest, WriteRequest};
use dyna_benches::shapes::{Chat, LastRead, item};
use std::process::{Command, Stdio};
use std::time::Instant;

const ITEMS: u32 = 1_000_000;
/// Items that are made, written and dropped together.
const PORTION: u32 = 10_000;
const SEGMENTS: u16 = 4;

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome {
    match std::env::args().nth(1).as_deref() {
        Some("dyna") => run(dyna()),
        Some(_) => run(sdk()),
        None => {
            println!("| with | items | import, s | scan, s | peak of memory, MB |");
            println!("|---|--:|--:|--:|--:|");
            let start = |peer| {
                let mut program = Command::new(std::env::current_exe()?);
                let program = program.arg(peer).stdout(Stdio::piped());
                Ok((peer, program.spawn()?))
            };
            // At the same time, so that it is the same machine for both.
            let both: Outcome<Vec<_>> = ["dyna", "serde_dynamo"].into_iter().map(start).collect();
            for (peer, program) in both? {
                let output = program.wait_with_output()?;
                print!("| {peer} | {}", String::from_utf8(output.stdout)?);
            }
            Ok(())
        }
    }
}

fn run(work: impl Future<Output = Outcome<[f64; 2]>>) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()?;
    let [import, scan] = runtime.block_on(work)?;
    println!("{ITEMS} | {import:.1} | {scan:.1} | {} |", peak()? / 1024);
    Ok(())
}

/// The most memory that the process had, in KB.
fn peak() -> Outcome<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.trim().split(' ').next());
    Ok(number.ok_or("Linux tells the peak of memory")?.parse()?)
}

fn portion(from: u32) -> Vec<LastRead> {
    let one = |n: u32| LastRead {
        user_id: format!("user-{}", n / 100),
        channel_id: format!("channel-{n:07}"),
        message_id: format!("01J{n:022}"),
    };
    (from..from + PORTION).map(one).collect()
}

fn portions() -> impl Iterator<Item = Vec<LastRead>> {
    (0..ITEMS).step_by(PORTION as usize).map(portion)
}

async fn dyna() -> Outcome<[f64; 2]> {
    let db = Chat::embedded().await?;
    let start = Instant::now();
    for items in portions() {
        let left = db.batch_write().put_all(&items).send().await?;
        assert!(left.is_empty());
    }
    let import = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let found = LastRead::scan().segments(SEGMENTS).all(&db).await?;
    assert_eq!(found.len(), ITEMS as usize);
    Ok([import, start.elapsed().as_secs_f64()])
}

async fn sdk() -> Outcome<[f64; 2]> {
    let db = Chat::embedded().await?;
    let client = db.client();
    let start = Instant::now();
    for items in portions() {
        for chunk in items.chunks(25) {
            let writes = chunk.iter().map(|entity| {
                let put = PutRequest::builder().set_item(Some(item(entity))).build();
                Ok(WriteRequest::builder().put_request(put?).build())
            });
            let writes: Outcome<Vec<_>> = writes.collect();
            let request = client.batch_write_item().request_items("chat", writes?);
            let left = request.send().await?.unprocessed_items;
            assert!(left.is_none_or(|left| left.is_empty()));
        }
    }
    let import = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let mut found: Vec<LastRead> = Vec::new();
    for segment in 0..SEGMENTS {
        found.extend(scan(client, segment).await?);
    }
    assert_eq!(found.len(), ITEMS as usize);
    Ok([import, start.elapsed().as_secs_f64()])
}

async fn scan(client: &Client, segment: u16) -> Outcome<Vec<LastRead>> {
    let request = client.scan().table_name("chat").segment(segment.into());
    let mut pages = request
        .total_segments(SEGMENTS.into())
        .into_paginator()
        .send();
    let mut found = Vec::new();
    while let Some(page) = pages.next().await {
        let items = page?.items.unwrap_or_default();
        found.extend(serde_dynamo::from_items::<_, LastRead>(items)?);
    }
    Ok(found)
}
