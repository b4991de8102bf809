//! Templates, expanded naively: what a key must be, without the library.

/// Where an item stands, in one attribute of a sort key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sort {
    Number(i128),
    Text(String),
}

/// The text of a template; `None` if a field has no value.
pub(crate) fn expand(template: &str, part: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let (mut out, mut rest) = (String::new(), template);
    while let Some((literal, placeholder)) = rest.split_once('<') {
        let (spec, after) = placeholder.split_once('>').unwrap();
        out += literal;
        out += &fill(spec, part)?;
        rest = after;
    }
    Some(out + rest)
}

fn fill(spec: &str, part: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    if let Some(path) = spec.strip_suffix("..") {
        return part(path);
    }
    if let Some((path, width)) = spec.split_once(":0") {
        let width = width.parse().unwrap();
        return part(path).map(|digits| format!("{digits:0>width$}"));
    }
    match spec.split_once('|') {
        None => part(spec),
        Some((path, "lower")) => part(path).map(|text| text.to_lowercase()),
        Some((path, "shard(4)")) => part(path).map(|text| shard(&text).to_string()),
        Some((_, other)) => panic!("no function {other}"),
    }
}

/// The bucket of a text, of four: FNV-1a of 64 bits, folded.
fn shard(text: &str) -> u64 {
    let mut hash = 14_695_981_039_346_656_037_u64;
    for byte in text.bytes() {
        hash ^= u64::from(byte);
        hash = hash.wrapping_mul(1_099_511_628_211);
    }
    (hash ^ (hash >> 32)) % 4
}

#[test]
fn templates_expand() {
    let part = |path: &str| match path {
        "a" => Some("Xé".to_owned()),
        "n" => Some("42".to_owned()),
        _ => None,
    };
    assert_eq!(expand("A#<a|lower>#<n:05>", &part).unwrap(), "A#xé#00042");
    assert_eq!(expand("<a>", &part).unwrap(), "Xé");
    assert_eq!(expand("A#<b>", &part), None);
}
