//! What the derives promise of fields, names and traits.

mod forms;
mod undeclared;
