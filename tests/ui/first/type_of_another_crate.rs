// A type that has no key encoding, or only with a feature.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "chat", pk = "pk"), pk = "HOST#<ip>")]
struct Host {
    ip: std::net::IpAddr,
}

fn main() {}
