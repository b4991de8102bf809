//! Counts the allocations of every contestant.

use allocation_counter::measure;

fn main() {
    dyna_benches::report::print_allocations(dyna_benches_toasty::works(), |work| {
        let counted = measure(work);
        [counted.count_total, counted.bytes_total, counted.bytes_max]
    });
}
