//! What is said: messages, conversations, templates, campaigns.

use super::{AWS_WABAS, DAY, DIWALI, FAMILY, PHONES, WABAS};
use super::{at, conversation_pk, customer, inbox, pick, seconds};
use crate::model::{Campaign, CampaignStatus, Category, Conversation, Delivery, Direction};
use crate::model::{Media, Message, Rating, StatusUpdate, TemplateEum, TemplateMedia};
use crate::model::{TemplateMeta, TemplateStatus};
use serde_json::json;

/// 600 messages with 30 customers, one every 97 seconds: two in, one out.
pub fn messages() -> Vec<Message> {
    (0..600).map(message).collect()
}

/// Even customers write to the first phone, odd ones to the second.
pub fn message(number: usize) -> Message {
    let customer_number = number % 30;
    let (phone, customer) = (customer_number % 2, customer(customer_number));
    let business = format!("9180{phone:08}");
    let time = at(seconds(number) * 97);
    let out = number % 3 == 2;
    let (from, to) = if out {
        (business, customer.clone())
    } else {
        (customer.clone(), business)
    };
    let round = number / 3;
    let image = number.is_multiple_of(10);
    let said: &[&str] = if out { &ANSWERS } else { &QUESTIONS };
    let text = pick(said, round + number / 30).to_owned();
    Message {
        wa_message_id: format!("wamid.{number:04}"),
        direction: if out {
            Direction::Outbound
        } else {
            Direction::Inbound
        },
        received_at: time,
        sent_at: out.then_some(time),
        wa_timestamp: time.0.as_second().to_string(),
        from,
        to,
        sender_name: if out {
            pick(&["Spice House", "Book Barn"], phone).to_owned()
        } else {
            pick(&NAMES, customer_number).to_owned()
        },
        conversation_pk: conversation_pk(phone, &customer),
        kind: if image { "image" } else { "text" }.to_owned(),
        preview: text.clone(),
        text_body: (!image).then(|| text.clone()),
        caption: image.then_some(text),
        media_id: image.then(|| format!("media-{number}")),
        mime_type: image.then(|| "image/jpeg".to_owned()),
        s3_bucket: image.then(|| "wecare-media".to_owned()),
        s3_key: image.then(|| format!("in/{number}.jpg")),
        delivery_status: out.then(|| pick(&COURSE, round)),
        delivery_status_history: if out { history(number) } else { vec![] },
        inbox_pk: inbox(phone),
        group_id: (out && round.is_multiple_of(7)).then(|| FAMILY.to_owned()),
        campaign_id: (out && round.is_multiple_of(5)).then(|| DIWALI.to_owned()),
    }
}

const NAMES: [&str; 10] = [
    "Asha", "Ravi", "Meera", "Imran", "Divya", "Joseph", "Lakshmi", "Arjun", "Fatima", "Kiran",
];

const QUESTIONS: [&str; 7] = [
    "Is it back in stock?",
    "When will my order arrive?",
    "Can I pay by UPI?",
    "Thank you, it came today.",
    "The box was open.",
    "Do you deliver on Sundays?",
    "One more of the same, please.",
];

const ANSWERS: [&str; 5] = [
    "Your order is on its way.",
    "We have it again from Monday.",
    "Yes, of course.",
    "We are sorry, a new one is coming.",
    "Here is your invoice.",
];

const COURSE: [Delivery; 4] = [
    Delivery::Sent,
    Delivery::Delivered,
    Delivery::Read,
    Delivery::Failed,
];

/// What led to the status of an outgoing message, a minute apart.
fn history(number: usize) -> Vec<StatusUpdate> {
    let course: &[Delivery] = match pick(&COURSE, number / 3) {
        Delivery::Sent => &COURSE[..1],
        Delivery::Delivered => &COURSE[..2],
        Delivery::Read => &COURSE[..3],
        Delivery::Failed => &[Delivery::Sent, Delivery::Failed],
    };
    let minutes = (0..).map(|minute| at(seconds(number) * 97 + minute * 60));
    let updates = course.iter().zip(minutes);
    updates
        .map(|(&status, at)| StatusUpdate { status, at })
        .collect()
}

/// One for each customer, as its last message left it.
pub fn conversations() -> Vec<Conversation> {
    let last = messages().split_off(570);
    last.into_iter()
        .enumerate()
        .map(|(number, last)| Conversation {
            phone_arn_suffix: pick(&PHONES, number).to_owned(),
            inbox_pk: last.inbox_pk,
            from: customer(number),
            received_at: last.received_at,
            unread_count: u32::from(last.direction == Direction::Inbound),
            last_message_pk: format!("MSG#{}", last.wa_message_id),
            last_type: last.kind,
            last_preview: last.preview,
            archived: number.is_multiple_of(10),
            waba_meta_id: pick(&WABAS, number).to_owned(),
            business_account_name: pick(&["Spice House", "Book Barn"], number).to_owned(),
        })
        .collect()
}

/// Three templates in two languages for each business; the third one waits for Meta.
pub fn templates() -> Vec<TemplateEum> {
    (0..12)
        .map(|number| {
            let name = pick(&["order_update", "festive_offer", "login_code"], number);
            TemplateEum {
                waba_id: pick(&AWS_WABAS, number / 6).to_owned(),
                template_name: name.to_owned(),
                meta_template_id: format!("tpl-{number:03}"),
                template_status: if name == "login_code" {
                    TemplateStatus::Pending
                } else {
                    TemplateStatus::Approved
                },
                template_category: pick(
                    &[
                        Category::Utility,
                        Category::Marketing,
                        Category::Authentication,
                    ],
                    number,
                ),
                template_language: pick(&["en", "hi"], number / 3).to_owned(),
                quality_score: pick(&[Rating::Green, Rating::Yellow], number),
                components: vec![
                    json!({"type": "BODY", "text": format!("Hello {{{{1}}}}, number {number}")}),
                ],
                cached_at: at(0),
                synced_at: at(DAY),
            }
        })
        .collect()
}

/// Meta's cache of the same names, for the first business.
pub fn templates_meta() -> Vec<TemplateMeta> {
    let names = ["festive_offer", "login_code", "order_update"];
    names
        .map(|name| TemplateMeta {
            waba_meta_id: WABAS[0].to_owned(),
            template_name: name.to_owned(),
            template_id: format!("meta-{name}"),
            status: TemplateStatus::Approved,
            category: Category::Utility,
            language: "en".to_owned(),
            cached_at: at(0),
        })
        .to_vec()
}

pub fn template_media() -> Vec<TemplateMedia> {
    (0..3)
        .map(|number| TemplateMedia {
            media_id: format!("banner-{number}"),
            waba_id: pick(&AWS_WABAS, number).to_owned(),
            s3_bucket: "wecare-templates".to_owned(),
            s3_key: format!("banners/{number}.png"),
            content_type: "image/png".to_owned(),
            content_length: 20_000,
            uploaded_at: at(0),
        })
        .collect()
}

/// The files of the messages that have one; each goes after seven days.
pub fn media() -> Vec<Media> {
    let with_files = messages()
        .into_iter()
        .filter(|message| message.media_id.is_some());
    with_files
        .enumerate()
        .map(|(number, message)| Media {
            media_id: message.media_id.unwrap_or_default(),
            s3_bucket: message.s3_bucket.unwrap_or_default(),
            s3_key: message.s3_key.unwrap_or_default(),
            content_type: message.mime_type.unwrap_or_default(),
            content_length: 1_000 * (number as u64 + 1),
            uploaded_at: message.received_at,
            expires_at: message.received_at + jiff::SignedDuration::from_hours(7 * 24),
            waba_meta_id: pick(&WABAS, number).to_owned(),
        })
        .collect()
}

pub fn campaigns() -> Vec<Campaign> {
    let campaigns = [
        (DIWALI, "Diwali offer", CampaignStatus::Running),
        ("monsoon-2026", "Monsoon sale", CampaignStatus::Completed),
        ("new-year-2027", "New Year", CampaignStatus::Draft),
    ];
    campaigns
        .map(|(id, name, status)| Campaign {
            campaign_id: id.to_owned(),
            waba_meta_id: WABAS[0].to_owned(),
            name: name.to_owned(),
            template_name: "festive_offer".to_owned(),
            status,
            total_recipients: 500,
            sent_count: 40,
            delivered_count: 30,
            read_count: 10,
            created_at: at(0),
            scheduled_at: at(DAY),
        })
        .to_vec()
}
