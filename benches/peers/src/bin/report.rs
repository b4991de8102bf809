//! Prints the table, or does one piece of work for callgrind.

use dyna_benches::report;

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["once", work, peer, times] => {
            let times = times.parse().map_err(std::io::Error::other)?;
            report::once(&dyna_benches_peers::works(), work, peer, times);
        }
        // Only works whose names begin so.
        _ => {
            let mut works = dyna_benches_peers::works();
            works.retain(|work| {
                arguments.is_empty() || arguments.iter().any(|prefix| work.name.starts_with(prefix))
            });
            print!("{}", report::report(&works)?);
        }
    }
    Ok(())
}
