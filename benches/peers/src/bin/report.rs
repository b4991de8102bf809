//! Prints the table, or does one piece of work for callgrind.

fn main() -> std::io::Result<()> {
    dyna_benches::report::main(dyna_benches_peers::works())
}
