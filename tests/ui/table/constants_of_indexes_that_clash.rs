// Two indexes have the same constant.
use dyna_runtime::DynaTable;

#[derive(DynaTable)]
#[dyna(name = "things", pk = "pk", index(byMail, pk = "a"), index(bymail, pk = "b"))]
struct Things;

fn main() {}
