//! Items have the attributes of the contract, of its types, and the table has its indexes.

use super::{sample, with_samples};
use crate::model::WhatsApp;
use aws_sdk_dynamodb::types::{AttributeValue, KeySchemaElement};
use dyna_runtime::DynaTable;
use dyna_runtime::codec::Item;

/// Each item type: the form of its key, its tag, and its attributes with their types as the contract has them. What is in brackets is
/// on some items only, and what is after a plus is not in the contract.
const CONTRACT: &str = include_str!("contract.txt");

#[tokio::test]
async fn every_item_has_the_attributes_of_the_contract() {
    let db = with_samples().await;
    let scan = db.client().scan().table_name(db.name().unwrap());
    let items: Vec<Item> = scan
        .into_paginator()
        .items()
        .send()
        .collect::<Result<_, _>>()
        .await
        .unwrap();
    assert_eq!(items.len(), 1_152);
    let types: Vec<Type> = CONTRACT.lines().map(Type::read).collect();
    assert_eq!(types.len(), 25);
    for item in &items {
        let of = types.iter().filter(|kind| kind.is_of(item));
        let [kind] = of.collect::<Vec<_>>()[..] else {
            panic!("{:?} is of one type", item["pk"]);
        };
        kind.check(item);
        let read = WhatsApp::from_item(item.clone()).unwrap();
        let mut written = read.to_item().unwrap();
        // Filled in when an item is sent.
        written.extend(
            item.get_key_value("ttl")
                .map(|(name, value)| (name.clone(), value.clone())),
        );
        assert_eq!(written, *item);
        // Without what is not in the contract it is read all the same.
        let mut as_contract = item.clone();
        as_contract.retain(|name, _| !kind.beyond.contains(&&**name));
        WhatsApp::from_item(as_contract).unwrap();
    }
    for kind in &types {
        let of: Vec<_> = items.iter().filter(|item| kind.is_of(item)).collect();
        let is_there = |name: &&&str| of.iter().any(|item| item.contains_key(**name));
        let never = kind.some.iter().map(|(name, _)| name);
        let never: Vec<_> = never.filter(|name| !is_there(name)).collect();
        assert!(
            !of.is_empty() && never.is_empty(),
            "{}: {never:?}",
            kind.key
        );
    }
}

/// An item type of the contract.
struct Type {
    key: &'static str,
    tag: &'static str,
    always: Vec<(&'static str, &'static str)>,
    some: Vec<(&'static str, &'static str)>,
    beyond: Vec<&'static str>,
}

impl Type {
    /// `MSG#{} MESSAGE direction:S [sentAt:S] + [groupId:S]`
    fn read(line: &'static str) -> Self {
        let mut words = line.split_whitespace();
        let (key, tag) = (words.next().unwrap(), words.next().unwrap());
        let (mut always, mut some) = (vec![], vec![]);
        let beyond = line.split_once(" + ").map_or("", |(_, beyond)| beyond);
        let beyond = beyond.split_whitespace().map(|word| name_of(word).0);
        let beyond = beyond.collect();
        for word in words.filter(|word| *word != "+") {
            if word.starts_with('[') {
                some.push(name_of(word));
            } else {
                always.push(name_of(word));
            }
        }
        Self {
            key,
            tag,
            always,
            some,
            beyond,
        }
    }

    fn is_of(&self, item: &Item) -> bool {
        let AttributeValue::S(key) = &item["pk"] else {
            return false;
        };
        let (forms, parts) = (self.key.split('#'), key.split('#'));
        forms.clone().count() == parts.clone().count()
            && forms
                .zip(parts)
                .all(|(form, part)| form == "{}" || form == part)
    }

    fn check(&self, item: &Item) {
        let tag = AttributeValue::S(self.tag.to_owned());
        assert_eq!(item["itemType"], tag, "{}", self.key);
        for (name, _) in &self.always {
            assert!(item.contains_key(*name), "{}: {name} is missing", self.key);
        }
        for (name, value) in item {
            if name == "pk" || name == "itemType" {
                continue;
            }
            let mut known = self.always.iter().chain(&self.some);
            let known = known.find(|(known, _)| known == name);
            let (_, kind) = known.unwrap_or_else(|| panic!("{}: {name}", self.key));
            assert_eq!(letter(value), *kind, "{}: {name}", self.key);
        }
    }
}

/// The name and the type of `[groupId:S]`.
fn name_of(word: &'static str) -> (&'static str, &'static str) {
    word.trim_matches(['[', ']']).split_once(':').unwrap()
}

fn letter(value: &AttributeValue) -> &'static str {
    match value {
        AttributeValue::S(_) => "S",
        AttributeValue::N(_) => "N",
        AttributeValue::Bool(_) => "BOOL",
        AttributeValue::L(_) => "L",
        AttributeValue::M(_) => "M",
        _ => "another",
    }
}

#[tokio::test]
async fn what_is_stored_comes_back_whole() {
    let db = with_samples().await;
    let mut stored = WhatsApp::scan().all(db).await.unwrap();
    assert_eq!(stored.len(), 1_152);
    stored.retain(|item| matches!(item, WhatsApp::Message(_)));
    let key = |item: &WhatsApp| match item {
        WhatsApp::Message(message) => message.wa_message_id.clone(),
        _ => String::new(),
    };
    stored.sort_by_key(key);
    let expected: Vec<_> = sample::messages()
        .into_iter()
        .map(WhatsApp::Message)
        .collect();
    assert_eq!(stored, expected);
}

#[tokio::test]
async fn the_table_is_the_one_of_the_contract() {
    let db = with_samples().await;
    let name = "base-wecare-digital-whatsapp";
    let table = db.client().describe_table().table_name(name).send().await;
    let table = table.unwrap().table.unwrap();
    let indexes = table.global_secondary_indexes();
    let mut indexes: Vec<_> = indexes
        .iter()
        .map(|index| {
            let key = index
                .key_schema()
                .iter()
                .map(KeySchemaElement::attribute_name);
            let key: Vec<_> = key.collect();
            format!("{} {}", index.index_name().unwrap(), key.join(" "))
        })
        .collect();
    indexes.sort();
    let mut expected = [
        "gsi_direction direction receivedAt",
        "gsi_from fromPk receivedAt",
        "gsi_inbox inboxPk receivedAt",
        "gsi_conversation conversationPk receivedAt",
        "gsi_status deliveryStatus sentAt",
        "gsi_waba_itemtype wabaMetaId itemType",
        "gsi_customer_phone customerPhone createdAt",
        "gsi_group groupId sentAt",
        "gsi_catalog catalogId retailerId",
        "gsi_order orderId createdAt",
        "gsi_tenant tenantId itemType",
        "gsi_payment_status paymentStatus createdAt",
        "gsi_template_waba wabaId templateStatus",
        "gsi_template_name templateName templateLanguage",
        "gsi_campaign campaignId sentAt",
        "gsi_webhook_event webhookEventType receivedAt",
    ];
    expected.sort_unstable();
    assert_eq!(indexes, expected);
    let ttl = db.client().describe_time_to_live().table_name(name).send();
    let ttl = ttl.await.unwrap().time_to_live_description.unwrap();
    assert_eq!(ttl.attribute_name(), Some("ttl"));
}
