//! The works without the peers, for `benches/instructions`: `alone once <work> <contestant> <times>` does one of them.

fn main() -> std::io::Result<()> {
    dyna_benches::report::main(dyna_benches::works::all())
}
