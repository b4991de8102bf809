//! Changes: records of streams, Lambda, Kinesis and exports, read as the entities of the table.

mod aws;
mod model;
mod reader;
mod reader_on_aws;
mod records;
mod sources;
mod views;
