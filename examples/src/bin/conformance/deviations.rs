//! Where engines are known to deviate from DynamoDB, by name and with the reason. Each is listed pattern by pattern: nothing is left out
//! wholesale, and a deviation that is gone is an error too.

/// A deviation of one engine, in the version that the run pins.
pub(crate) struct Deviation {
    pub(crate) engine: &'static str,
    pub(crate) name: &'static str,
    pub(crate) reason: &'static str,
    /// The model and the pattern of each answer that it changes.
    pub(crate) patterns: &'static [(&'static str, &'static str)],
}

pub(crate) const DEVIATIONS: &[Deviation] = &[
    Deviation {
        engine: "dynalite",
        name: "no transactions",
        reason: "it does not know TransactWriteItems, so what follows is not written either",
        patterns: &[
            ("discord", "Open a server"),
            ("discord", "Open a server: its owner's servers"),
            ("discord", "Open a server: again"),
            ("discord", "Join by an invite"),
            ("discord", "Join by an invite: again"),
            ("discord", "Join by an invite: its uses"),
            ("discord", "Move a channel"),
            ("discord", "Move a channel: where it is"),
            ("discord", "Join by an invite: under a token"),
            ("discord", "Join by an invite: under the same token"),
            ("discord", "Join by an invite: used once for both"),
            (
                "putea-matai",
                "Give a transaction another date: annotated meanwhile",
            ),
            ("putea-matai", "Give a transaction another date"),
            ("putea-matai", "Give a transaction another date: again"),
            (
                "putea-matai",
                "Give a transaction another date: what is there",
            ),
            ("serenya", "Register"),
            ("serenya", "Register: the same address"),
            ("serenya", "Register: who has the address"),
            ("whatsapp", "Unread counters: receive"),
            ("whatsapp", "Unread counters: the same again"),
            ("whatsapp", "Unread counters: conversation"),
            ("whatsapp", "Unread counters: read"),
            ("tazco", "idempotency.createOnce"),
            ("tazco", "idempotency.createOnce: again"),
            ("tazco", "outbox.markSent"),
            ("tazco", "outbox.markFailed"),
            ("tazco", "outbox.findReadyForRetry: after that"),
            ("tazco", "outboxSequences.next"),
            ("tazco", "outboxSequences.next: again"),
            ("tazco", "outboxSequences.next: the first"),
        ],
    },
    Deviation {
        engine: "dynalite",
        name: "no item on a failed condition",
        reason: "it does not know ReturnValuesOnConditionCheckFailure, so the answer that is there already is not in the error",
        patterns: &[("whatsapp", "Idempotency: again")],
    },
    Deviation {
        engine: "dynalite",
        name: "no expiry",
        reason: "it knows neither UpdateTimeToLive nor DescribeTimeToLive, so tables are made without, and nothing tells what they expire by",
        patterns: &[
            ("discord", "Table of Discord"),
            ("serenya", "Table of Serenya"),
            ("tazco", "Table of IdempotencyRecord"),
            ("whatsapp", "Table of WhatsApp"),
        ],
    },
    Deviation {
        engine: "moto",
        name: "tokens do not count",
        reason: "a transaction that comes again with its token is made again, and fails because it was made before",
        patterns: &[("discord", "Join by an invite: under the same token")],
    },
    Deviation {
        engine: "moto",
        name: "no key at the limit",
        reason: "a query that stops at its limit returns no LastEvaluatedKey if it stops at the last item of its partition",
        patterns: &[("tazco", "transactions.findByCard: up to the last one")],
    },
];

impl Deviation {
    /// The number of the deviation that explains an answer, counted from 1.
    pub(crate) fn listed(engine: &str, model: &str, pattern: &str) -> Option<usize> {
        let explains = |deviation: &Self| {
            deviation.engine == engine && deviation.patterns.contains(&(model, pattern))
        };
        DEVIATIONS.iter().position(explains).map(|at| at + 1)
    }
}
