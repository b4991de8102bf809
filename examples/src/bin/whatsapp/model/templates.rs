//! What is sent to many: templates, their media, campaigns.

use super::operations::Rating;
use super::{Time, WhatsApp};
use dyna_runtime::{DynaEntity, KeyPart};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A template of AWS End User Messaging.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = WhatsApp,
    tag = "TEMPLATE_EUM",
    pk = "TEMPLATE_EUM#<waba_id>#<template_name>#<template_language>",
    gsi_template_waba(as = of_waba, pk = "<waba_id>", sk = "<template_status>"),
    gsi_template_name(as = by_name, pk = "<template_name>", sk = "<template_language>"),
)]
pub struct TemplateEum {
    pub waba_id: String,
    pub template_name: String,
    pub meta_template_id: String,
    pub template_status: TemplateStatus,
    pub template_category: Category,
    pub template_language: String,
    pub quality_score: Rating,
    /// As Meta has them: a header, a body, buttons.
    pub components: Vec<Value>,
    pub cached_at: Time,
    pub synced_at: Time,
}

/// Whether Meta lets a template be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "UPPERCASE")]
pub enum TemplateStatus {
    Approved,
    Pending,
    Rejected,
    Paused,
    Disabled,
}

/// What a template is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Category {
    Utility,
    Marketing,
    Authentication,
}

/// A template as Meta had it last. Its key has one language; its attributes are named so that no template index has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = WhatsApp,
    tag = "TEMPLATE_META",
    pk = "TEMPLATE_META#<waba_meta_id>#<template_name>",
    gsi_waba_itemtype(as = of_waba, pk = "<waba_meta_id>", sk = "TEMPLATE_META"),
)]
pub struct TemplateMeta {
    pub waba_meta_id: String,
    pub template_name: String,
    pub template_id: String,
    pub status: TemplateStatus,
    pub category: Category,
    pub language: String,
    pub cached_at: Time,
}

/// A file that templates show.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(table = WhatsApp, tag = "TEMPLATE_MEDIA", pk = "TEMPLATE_MEDIA#<media_id>")]
pub struct TemplateMedia {
    pub media_id: String,
    pub waba_id: String,
    pub s3_bucket: String,
    pub s3_key: String,
    pub content_type: String,
    pub content_length: u64,
    pub uploaded_at: Time,
}

/// A file of a message. `ttl` follows `expiresAt`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = WhatsApp,
    tag = "MEDIA",
    pk = "MEDIA#<media_id>",
    gsi_waba_itemtype(as = of_waba, pk = "<waba_meta_id>", sk = "MEDIA"),
)]
pub struct Media {
    pub media_id: String,
    pub s3_bucket: String,
    pub s3_key: String,
    pub content_type: String,
    pub content_length: u64,
    pub uploaded_at: Time,
    #[dyna(ttl)]
    pub expires_at: Time,
    pub waba_meta_id: String,
}

/// A template on its way to many. Its messages are found by `gsi_campaign`, if they say that they are of the campaign.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = WhatsApp,
    tag = "CAMPAIGN",
    pk = "CAMPAIGN#<campaign_id>",
    gsi_waba_itemtype(as = of_waba, pk = "<waba_meta_id>", sk = "CAMPAIGN"),
)]
pub struct Campaign {
    pub campaign_id: String,
    pub waba_meta_id: String,
    pub name: String,
    pub template_name: String,
    pub status: CampaignStatus,
    pub total_recipients: u32,
    pub sent_count: u32,
    pub delivered_count: u32,
    pub read_count: u32,
    pub created_at: Time,
    pub scheduled_at: Time,
}

/// How far a campaign has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CampaignStatus {
    Draft,
    Scheduled,
    Running,
    Completed,
    Paused,
}
