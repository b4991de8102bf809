//! Templates, expanded naively: what a key must be, without the library.

/// Where an item stands, in one attribute of a sort key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sort {
    Number(rust_decimal::Decimal),
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
    if let Some(path) = spec.strip_suffix('?') {
        return part(path).or(Some(String::new()));
    }
    if let Some((fields, _)) = spec.split_once('|').filter(|_| spec.starts_with('(')) {
        return part(fields);
    }
    let (head, functions) = match spec.split_once('|') {
        Some((head, functions)) => (head, functions.split('|').collect()),
        None => (spec, Vec::new()),
    };
    let value = match head.split_once(':') {
        Some((path, "plain")) => part(path)?,
        Some((path, width)) => {
            let width = width.strip_prefix('0').unwrap().parse().unwrap();
            format!("{:0>width$}", part(path)?)
        }
        None => part(head.trim_end_matches(".."))?,
    };
    Some(functions.into_iter().fold(value, |text, function| {
        match function.split(',').next().unwrap() {
            "lower" => text.to_lowercase(),
            "upper" => text.to_uppercase(),
            "trim" => text.trim().to_owned(),
            "shard(4)" => shard(&text).to_string(),
            "shard(12" => format!("{:02}", super::values::bucket(&text)),
            other => panic!("no function {other}"),
        }
    }))
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
    assert_eq!(expand("<a..><n:plain>", &part).unwrap(), "Xé42");
    assert_eq!(expand("<a|trim|upper>", &part).unwrap(), "XÉ");
    assert_eq!(expand("A#<b>", &part), None);
}
