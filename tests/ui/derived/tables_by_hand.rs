// A table and a collection without their proofs.

struct Table;

impl dyna_runtime::schema::Schema for Table {}
impl dyna_runtime::schema::HasIndex<()> for Table {}
impl dyna_runtime::schema::HasField<()> for Table {}
impl dyna_runtime::schema::KeySpace for Table {}
impl dyna_runtime::schema::SameTable<Table> for u8 {}
impl dyna_runtime::DynaTable for Table {}
impl dyna_runtime::DynaCollection for Table {}
impl dyna_runtime::Version for Table {}

fn main() {}
