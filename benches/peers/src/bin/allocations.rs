//! Counts the allocations of every contestant. A program of its own, because its allocator costs instructions.

use allocation_counter::measure;

fn main() {
    for work in dyna_benches_peers::works() {
        for mut contestant in work.contestants() {
            contestant.warm_up();
            contestant.prepare();
            let counted = measure(|| contestant.work());
            println!(
                "{} {} {} {} {}",
                work.name,
                contestant.peer,
                counted.count_total,
                counted.bytes_total,
                counted.bytes_max
            );
        }
    }
}
