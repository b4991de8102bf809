//! The words that `DynamoDB` reserves, and the aliases that attribute names get in expressions.
//! It never decides where an alias is used.

/// The reserved words of the developer guide ("Reserved words in `DynamoDB`"), sorted. `FLATTERN`, `INNTER` and `LOGED` are
/// spelled as they are there.
#[rustfmt::skip] // one word a line would be 573 lines
static WORDS: [&str; 573] = [
    "ABORT", "ABSOLUTE", "ACTION", "ADD", "AFTER", "AGENT", "AGGREGATE", "ALL", "ALLOCATE", "ALTER", "ANALYZE", "AND",
    "ANY", "ARCHIVE", "ARE", "ARRAY", "AS", "ASC", "ASCII", "ASENSITIVE", "ASSERTION", "ASYMMETRIC", "AT", "ATOMIC",
    "ATTACH", "ATTRIBUTE", "AUTH", "AUTHORIZATION", "AUTHORIZE", "AUTO", "AVG", "BACK", "BACKUP", "BASE", "BATCH",
    "BEFORE", "BEGIN", "BETWEEN", "BIGINT", "BINARY", "BIT", "BLOB", "BLOCK", "BOOLEAN", "BOTH", "BREADTH", "BUCKET",
    "BULK", "BY", "BYTE", "CALL", "CALLED", "CALLING", "CAPACITY", "CASCADE", "CASCADED", "CASE", "CAST", "CATALOG",
    "CHAR", "CHARACTER", "CHECK", "CLASS", "CLOB", "CLOSE", "CLUSTER", "CLUSTERED", "CLUSTERING", "CLUSTERS",
    "COALESCE", "COLLATE", "COLLATION", "COLLECTION", "COLUMN", "COLUMNS", "COMBINE", "COMMENT", "COMMIT", "COMPACT",
    "COMPILE", "COMPRESS", "CONDITION", "CONFLICT", "CONNECT", "CONNECTION", "CONSISTENCY", "CONSISTENT",
    "CONSTRAINT", "CONSTRAINTS", "CONSTRUCTOR", "CONSUMED", "CONTINUE", "CONVERT", "COPY", "CORRESPONDING", "COUNT",
    "COUNTER", "CREATE", "CROSS", "CUBE", "CURRENT", "CURSOR", "CYCLE", "DATA", "DATABASE", "DATE", "DATETIME", "DAY",
    "DEALLOCATE", "DEC", "DECIMAL", "DECLARE", "DEFAULT", "DEFERRABLE", "DEFERRED", "DEFINE", "DEFINED", "DEFINITION",
    "DELETE", "DELIMITED", "DEPTH", "DEREF", "DESC", "DESCRIBE", "DESCRIPTOR", "DETACH", "DETERMINISTIC",
    "DIAGNOSTICS", "DIRECTORIES", "DISABLE", "DISCONNECT", "DISTINCT", "DISTRIBUTE", "DO", "DOMAIN", "DOUBLE", "DROP",
    "DUMP", "DURATION", "DYNAMIC", "EACH", "ELEMENT", "ELSE", "ELSEIF", "EMPTY", "ENABLE", "END", "EQUAL", "EQUALS",
    "ERROR", "ESCAPE", "ESCAPED", "EVAL", "EVALUATE", "EXCEEDED", "EXCEPT", "EXCEPTION", "EXCEPTIONS", "EXCLUSIVE",
    "EXEC", "EXECUTE", "EXISTS", "EXIT", "EXPLAIN", "EXPLODE", "EXPORT", "EXPRESSION", "EXTENDED", "EXTERNAL",
    "EXTRACT", "FAIL", "FALSE", "FAMILY", "FETCH", "FIELDS", "FILE", "FILTER", "FILTERING", "FINAL", "FINISH",
    "FIRST", "FIXED", "FLATTERN", "FLOAT", "FOR", "FORCE", "FOREIGN", "FORMAT", "FORWARD", "FOUND", "FREE", "FROM",
    "FULL", "FUNCTION", "FUNCTIONS", "GENERAL", "GENERATE", "GET", "GLOB", "GLOBAL", "GO", "GOTO", "GRANT", "GREATER",
    "GROUP", "GROUPING", "HANDLER", "HASH", "HAVE", "HAVING", "HEAP", "HIDDEN", "HOLD", "HOUR", "IDENTIFIED",
    "IDENTITY", "IF", "IGNORE", "IMMEDIATE", "IMPORT", "IN", "INCLUDING", "INCLUSIVE", "INCREMENT", "INCREMENTAL",
    "INDEX", "INDEXED", "INDEXES", "INDICATOR", "INFINITE", "INITIALLY", "INLINE", "INNER", "INNTER", "INOUT",
    "INPUT", "INSENSITIVE", "INSERT", "INSTEAD", "INT", "INTEGER", "INTERSECT", "INTERVAL", "INTO", "INVALIDATE",
    "IS", "ISOLATION", "ITEM", "ITEMS", "ITERATE", "JOIN", "KEY", "KEYS", "LAG", "LANGUAGE", "LARGE", "LAST",
    "LATERAL", "LEAD", "LEADING", "LEAVE", "LEFT", "LENGTH", "LESS", "LEVEL", "LIKE", "LIMIT", "LIMITED", "LINES",
    "LIST", "LOAD", "LOCAL", "LOCALTIME", "LOCALTIMESTAMP", "LOCATION", "LOCATOR", "LOCK", "LOCKS", "LOG", "LOGED",
    "LONG", "LOOP", "LOWER", "MAP", "MATCH", "MATERIALIZED", "MAX", "MAXLEN", "MEMBER", "MERGE", "METHOD", "METRICS",
    "MIN", "MINUS", "MINUTE", "MISSING", "MOD", "MODE", "MODIFIES", "MODIFY", "MODULE", "MONTH", "MULTI", "MULTISET",
    "NAME", "NAMES", "NATIONAL", "NATURAL", "NCHAR", "NCLOB", "NEW", "NEXT", "NO", "NONE", "NOT", "NULL", "NULLIF",
    "NUMBER", "NUMERIC", "OBJECT", "OF", "OFFLINE", "OFFSET", "OLD", "ON", "ONLINE", "ONLY", "OPAQUE", "OPEN",
    "OPERATOR", "OPTION", "OR", "ORDER", "ORDINALITY", "OTHER", "OTHERS", "OUT", "OUTER", "OUTPUT", "OVER",
    "OVERLAPS", "OVERRIDE", "OWNER", "PAD", "PARALLEL", "PARAMETER", "PARAMETERS", "PARTIAL", "PARTITION",
    "PARTITIONED", "PARTITIONS", "PATH", "PERCENT", "PERCENTILE", "PERMISSION", "PERMISSIONS", "PIPE", "PIPELINED",
    "PLAN", "POOL", "POSITION", "PRECISION", "PREPARE", "PRESERVE", "PRIMARY", "PRIOR", "PRIVATE", "PRIVILEGES",
    "PROCEDURE", "PROCESSED", "PROJECT", "PROJECTION", "PROPERTY", "PROVISIONING", "PUBLIC", "PUT", "QUERY", "QUIT",
    "QUORUM", "RAISE", "RANDOM", "RANGE", "RANK", "RAW", "READ", "READS", "REAL", "REBUILD", "RECORD", "RECURSIVE",
    "REDUCE", "REF", "REFERENCE", "REFERENCES", "REFERENCING", "REGEXP", "REGION", "REINDEX", "RELATIVE", "RELEASE",
    "REMAINDER", "RENAME", "REPEAT", "REPLACE", "REQUEST", "RESET", "RESIGNAL", "RESOURCE", "RESPONSE", "RESTORE",
    "RESTRICT", "RESULT", "RETURN", "RETURNING", "RETURNS", "REVERSE", "REVOKE", "RIGHT", "ROLE", "ROLES", "ROLLBACK",
    "ROLLUP", "ROUTINE", "ROW", "ROWS", "RULE", "RULES", "SAMPLE", "SATISFIES", "SAVE", "SAVEPOINT", "SCAN", "SCHEMA",
    "SCOPE", "SCROLL", "SEARCH", "SECOND", "SECTION", "SEGMENT", "SEGMENTS", "SELECT", "SELF", "SEMI", "SENSITIVE",
    "SEPARATE", "SEQUENCE", "SERIALIZABLE", "SESSION", "SET", "SETS", "SHARD", "SHARE", "SHARED", "SHORT", "SHOW",
    "SIGNAL", "SIMILAR", "SIZE", "SKEWED", "SMALLINT", "SNAPSHOT", "SOME", "SOURCE", "SPACE", "SPACES", "SPARSE",
    "SPECIFIC", "SPECIFICTYPE", "SPLIT", "SQL", "SQLCODE", "SQLERROR", "SQLEXCEPTION", "SQLSTATE", "SQLWARNING",
    "START", "STATE", "STATIC", "STATUS", "STORAGE", "STORE", "STORED", "STREAM", "STRING", "STRUCT", "STYLE", "SUB",
    "SUBMULTISET", "SUBPARTITION", "SUBSTRING", "SUBTYPE", "SUM", "SUPER", "SYMMETRIC", "SYNONYM", "SYSTEM", "TABLE",
    "TABLESAMPLE", "TEMP", "TEMPORARY", "TERMINATED", "TEXT", "THAN", "THEN", "THROUGHPUT", "TIME", "TIMESTAMP",
    "TIMEZONE", "TINYINT", "TO", "TOKEN", "TOTAL", "TOUCH", "TRAILING", "TRANSACTION", "TRANSFORM", "TRANSLATE",
    "TRANSLATION", "TREAT", "TRIGGER", "TRIM", "TRUE", "TRUNCATE", "TTL", "TUPLE", "TYPE", "UNDER", "UNDO", "UNION",
    "UNIQUE", "UNIT", "UNKNOWN", "UNLOGGED", "UNNEST", "UNPROCESSED", "UNSIGNED", "UNTIL", "UPDATE", "UPPER", "URL",
    "USAGE", "USE", "USER", "USERS", "USING", "UUID", "VACUUM", "VALUE", "VALUED", "VALUES", "VARCHAR", "VARIABLE",
    "VARIANCE", "VARINT", "VARYING", "VIEW", "VIEWS", "VIRTUAL", "VOID", "WAIT", "WHEN", "WHENEVER", "WHERE", "WHILE",
    "WINDOW", "WITH", "WITHIN", "WITHOUT", "WORK", "WRAPPED", "WRITE", "YEAR", "ZONE",
];

const HEX: &[u8; 16] = b"0123456789abcdef";

/// Whether `DynamoDB` reserves the word, in any case of letters.
#[must_use]
pub(crate) fn is_reserved(name: &str) -> bool {
    let upper = || name.bytes().map(|b| b.to_ascii_uppercase());
    WORDS
        .binary_search_by(|word| word.bytes().cmp(upper()))
        .is_ok()
}

/// Whether an expression can name the attribute only through an alias: the name is reserved, or it is not a letter followed by
/// letters, digits and `_`.
#[must_use]
pub(crate) fn needs_alias(name: &str) -> bool {
    let starts_with_letter = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    !(starts_with_letter && plain) || is_reserved(name)
}

/// The alias of an attribute: `#status`, and `#my_2dattr` for `my-attr`. Different names have different aliases.
///
/// A byte that an alias cannot hold becomes `_` and its two hexadecimal digits. So does a `_` that two such digits follow in the
/// name: then `_` and two digits always stand for a byte, any other `_` for itself, and the alias can be read back. (What
/// follows a kept `_` in the alias is what follows it in the name, or the `_` of an escape, which is no digit.)
#[must_use]
pub(crate) fn alias(name: &str) -> String {
    let bytes = name.as_bytes();
    let mut alias = String::with_capacity(bytes.len() + 1);
    alias.push('#');
    for (i, byte) in bytes.iter().enumerate() {
        let kept = match byte {
            b'_' => !starts_with_hex(&bytes[i + 1..]),
            _ => byte.is_ascii_alphanumeric(),
        };
        if kept {
            alias.push(char::from(*byte));
        } else {
            alias.push('_');
            alias.extend([byte >> 4, byte & 15].map(|digit| char::from(HEX[usize::from(digit)])));
        }
    }
    alias
}

fn starts_with_hex(bytes: &[u8]) -> bool {
    matches!(bytes, [a, b, ..] if HEX.contains(a) && HEX.contains(b))
}

/// How an expression names an attribute: as it is, or by an alias where it must.
pub(crate) fn expression(name: &str) -> String {
    if needs_alias(name) {
        alias(name)
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{WORDS, alias, is_reserved, needs_alias};
    use std::collections::BTreeMap;

    #[test]
    fn the_list_is_sorted_unique_upper_case_and_573_long() {
        assert_eq!(WORDS.len(), 573);
        assert!(WORDS.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(
            WORDS
                .iter()
                .all(|word| word.bytes().all(|b| b.is_ascii_uppercase()))
        );
    }

    #[test]
    fn every_word_is_reserved_in_any_case() {
        for word in WORDS {
            assert!(
                is_reserved(word) && is_reserved(&word.to_lowercase()),
                "{word}"
            );
        }
        assert!(is_reserved("Status") && is_reserved("tTl"));
    }

    #[test]
    fn other_words_are_not_reserved() {
        for name in [
            "",
            "pk",
            "statuses",
            "stat",
            "ABOR",
            "ABORTS",
            "zones",
            "\u{17F}tatus",
            "é",
        ] {
            assert!(!is_reserved(name), "{name}");
        }
    }

    #[test]
    fn names_that_no_expression_can_hold_need_an_alias() {
        for name in [
            "", "status", "Name", "_id", "1st", "my-attr", "a.b", "a b", "é", "a#",
        ] {
            assert!(needs_alias(name), "{name}");
        }
        for name in ["pk", "gsi1pk", "sent_ms", "a_", "A", "userId"] {
            assert!(!needs_alias(name), "{name}");
        }
    }

    #[test]
    fn simple_names_stay_readable() {
        let table = [
            ("status", "#status"),
            ("created_at", "#created_at"),
            ("my-attr", "#my_2dattr"),
            ("my_2dattr", "#my_5f2dattr"),
            ("_id", "#_id"),
            ("a__b", "#a__b"),
            ("a_-", "#a__2d"),
            ("a__2d", "#a__5f2d"),
            ("a_2D", "#a_2D"),
            ("é", "#_c3_a9"),
            ("a.b", "#a_2eb"),
        ];
        for (name, expected) in table {
            assert_eq!(alias(name), expected);
        }
    }

    /// Law: two names with one alias are one name.
    #[test]
    fn different_names_have_different_aliases() {
        let letters = ["_", "-", "2", "d", "5", "f", "D", "é"];
        let mut names = vec![String::new()];
        let mut seen = BTreeMap::new();
        for _ in 0..5 {
            names = names
                .iter()
                .flat_map(|name| letters.map(|letter| format!("{name}{letter}")))
                .collect();
            for name in &names {
                let alias = alias(name);
                assert!(
                    alias[1..]
                        .bytes()
                        .all(|b| b.is_ascii_alphanumeric() || b == b'_'),
                    "{alias}"
                );
                assert_eq!(seen.insert(alias, name.clone()), None, "{name}");
            }
        }
    }
}
