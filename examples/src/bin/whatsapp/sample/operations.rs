//! What keeps the service running: webhooks, calls, figures, settings.

use super::{DAY, PHONES, WABAS, at, customer, pick, seconds};
use crate::model::{Analytics, Call, CallStatus, Config, ConfigKind, FlowResponse, Idempotency};
use crate::model::{Quality, QualityChange, Rating, Time, WebhookConfig, WebhookEvent};
use serde_json::json;
use std::collections::BTreeMap;

/// 200 events, ten minutes apart, in turn of three types. They go after 30 days.
pub fn events() -> Vec<WebhookEvent> {
    (0..200)
        .map(|number| {
            let received_at = at(seconds(number) * 600);
            WebhookEvent {
                event_id: format!("event-{number:03}"),
                event_type: pick(&["message", "status", "template"], number).to_owned(),
                waba_meta_id: pick(&WABAS, number).to_owned(),
                payload: BTreeMap::from([(
                    "entry".to_owned(),
                    json!([{"id": number, "ok": true}]),
                )]),
                processed_at: (number % 4 != 3).then_some(received_at),
                received_at,
                ttl: Some(epoch(received_at, 30 * DAY)),
            }
        })
        .collect()
}

/// The epoch second so much later.
fn epoch(time: Time, later: i64) -> u64 {
    u64::try_from(time.0.as_second() + later).unwrap_or_default()
}

pub fn webhook_configs() -> Vec<WebhookConfig> {
    WABAS
        .map(|waba| WebhookConfig {
            waba_meta_id: waba.to_owned(),
            verify_token: "let-me-in".to_owned(),
            app_secret: "not-a-secret".to_owned(),
            enabled: true,
            updated_at: at(0),
        })
        .to_vec()
}

pub fn calls() -> Vec<Call> {
    (0..15)
        .map(|number| {
            let answered = number % 3 != 0;
            Call {
                call_id: format!("call-{number:02}"),
                waba_meta_id: pick(&WABAS, number).to_owned(),
                from: customer(number),
                to: "918000000000".to_owned(),
                status: if answered {
                    CallStatus::Ended
                } else {
                    CallStatus::Failed
                },
                duration: if answered { 60 } else { 0 },
                started_at: at(seconds(number) * 60),
                ended_at: answered.then(|| at(seconds(number) * 60 + 60)),
            }
        })
        .collect()
}

/// Two weeks of both businesses.
pub fn analytics() -> Vec<Analytics> {
    (0_u32..28)
        .map(|number| {
            let day = number / 2 + 1;
            Analytics {
                waba_meta_id: pick(&WABAS, number as usize).to_owned(),
                date: format!("2026-01-{day:02}"),
                messages_sent: 100 + day,
                messages_delivered: 90 + day,
                messages_read: 50 + day,
                messages_failed: 10,
                templates_used: BTreeMap::from([("order_update".to_owned(), day)]),
            }
        })
        .collect()
}

pub fn qualities() -> Vec<Quality> {
    (0..2)
        .map(|number| Quality {
            phone_number_id: PHONES[number].to_owned(),
            waba_meta_id: WABAS[number].to_owned(),
            quality_rating: Rating::Green,
            throughput_status: "ELIGIBLE".to_owned(),
            last_checked_at: at(DAY),
            quality_history: vec![QualityChange {
                rating: Rating::Yellow,
                at: at(0),
            }],
        })
        .collect()
}

pub fn configs() -> Vec<Config> {
    let types = [
        ("image", vec!["image/jpeg", "image/png"]),
        ("audio", vec!["audio/ogg"]),
    ];
    let types = types.map(|(kind, types)| {
        let types = types.into_iter().map(str::to_owned);
        (kind.to_owned(), types.collect())
    });
    vec![
        Config {
            kind: ConfigKind::Infra,
            vpc_endpoint: Some("vpce-0123".to_owned()),
            service_linked_role: Some("arn:aws:iam::111122223333:role/social".to_owned()),
            supported_types: None,
            updated_at: at(0),
        },
        Config {
            kind: ConfigKind::MediaTypes,
            vpc_endpoint: None,
            service_linked_role: None,
            supported_types: Some(types.into()),
            updated_at: at(0),
        },
    ]
}

pub fn flow_responses() -> Vec<FlowResponse> {
    (0..10)
        .map(|number| FlowResponse {
            flow_id: "feedback".to_owned(),
            response_id: format!("response-{number}"),
            customer_phone: format!("+{}", customer(number)),
            screen_id: "STARS".to_owned(),
            data: BTreeMap::from([("stars".to_owned(), json!(number % 5 + 1))]),
            completed_at: at(seconds(number)),
        })
        .collect()
}

/// 30 requests that were answered, a minute apart; each goes after 24 hours.
pub fn idempotency() -> Vec<Idempotency> {
    (0..30)
        .map(|number| {
            let processed_at = at(seconds(number) * 60);
            Idempotency {
                request_id: format!("request-{number:02}"),
                processed_at,
                ttl: epoch(processed_at, DAY),
                result: BTreeMap::from([(
                    "messageId".to_owned(),
                    json!(format!("wamid.{number:04}")),
                )]),
            }
        })
        .collect()
}
