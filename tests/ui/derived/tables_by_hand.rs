// A table and a collection without their proofs.

struct Table;

impl dyna_runtime::schema::Schema for Table {}
impl dyna_runtime::schema::HasIndex<()> for Table {}
impl dyna_runtime::schema::HasField<()> for Table {}
impl dyna_runtime::schema::Queryable for Table {}
impl dyna_runtime::schema::SameTable<Table> for u8 {}
impl dyna_runtime::DynaTable for Table {}
impl dyna_runtime::DynaCollection for Table {}
impl dyna_runtime::managed::VersionField for Table {}

fn main() {}
