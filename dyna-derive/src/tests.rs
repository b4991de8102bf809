//! What the derive generates, and what it says of mistakes: each snapshot shows the input beside the output.

use proc_macro2::TokenStream;
use quote::ToTokens;

mod derives {
    pub(super) use crate::derives::{collection, entity, key_part, nested, projection};
    use crate::{check, expand};

    /// A table without the features `embedded` and `simulate`, which depend on what else is built.
    pub(super) fn table(input: &syn::DeriveInput) -> super::TokenStream {
        let mut table = check::table(input).ok().unwrap();
        table.embedded = false;
        table.simulated = false;
        expand::table(&table)
    }
}

/// The expansion, below the code that was expanded.
fn expanded(derive: fn(&syn::DeriveInput) -> TokenStream, input: &str) -> String {
    let parsed: syn::DeriveInput = syn::parse_str(input).unwrap();
    let input = pretty(parsed.to_token_stream());
    format!(
        "{input}\n// ---- expands to ----\n\n{}",
        pretty(derive(&parsed))
    )
}

fn pretty(tokens: TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(tokens).unwrap())
}

macro_rules! snapshot {
    ($($derive:ident $name:ident: $input:literal;)*) => {$(
        #[test]
        fn $name() {
            insta::assert_snapshot!(expanded(derives::$derive, $input));
        }
    )*};
}

snapshot! {
    entity partition_key_only: r#"
        #[dyna(table = Shop, pk = "ORDER#<order_id>")]
        struct Order { order_id: u64 }
    "#;
    entity partition_and_sort_key: r#"
        #[dyna(table = Shop, pk = "USER#<user>", sk = "ORDER#<at:%Y-%m-%d>#<n:05>")]
        pub struct Order { pub user: String, pub at: Timestamp, pub n: u32 }
    "#;
    entity overloaded_index: r#"
        #[serde(rename_all = "camelCase")]
        #[dyna(
            table = Discord,
            pk = "CHANNEL#<channel_id>",
            sk = "MSG#<sent_ms:013>#<message_id>",
            gsi1(as = by_id, pk = "MSG#<message_id>", sk = "CHANNEL#<channel_id>"),
        )]
        pub struct Message {
            pub channel_id: String,
            pub sent_ms: u64,
            pub message_id: Ulid,
            pub content: String,
        }
    "#;
    entity native_keys: r#"
        #[dyna(table(name = "cards", pk = "ecosystem_id", sk = number("n")), pk = "<ecosystem_id>", sk = "<n>")]
        struct Card { ecosystem_id: String, n: i64 }
    "#;
    entity flattened_fields: r#"
        #[dyna(table = Shop, pk = "ORDER#<id>")]
        struct Order {
            id: String,
            #[serde(alias = "remark")]
            note: String,
            #[serde(skip_deserializing)]
            shown: u8,
            #[serde(flatten)]
            place: Place,
            #[serde(flatten, with = "crate::extra")]
            extra: Extra,
        }
    "#;
    entity sparse_index: r#"
        #[dyna(table = Shop, pk = "ORDER#<id>", open(as = by_courier, pk = "COURIER#<courier>", sk = "<id>"))]
        struct Order {
            id: String,
            /// Who delivers it.
            ///
            /// `None` until somebody does.
            courier: Option<String>,
        }
    "#;
    entity key_only_field: r#"
        #[dyna(table = Money, pk = "USER#<user_id>", sk = "TAG#<tag_id>")]
        struct Tag {
            #[dyna(key_only)] user_id: String,
            #[dyna(key_only)] tag_id: String,
            text: String,
        }
    "#;
    entity nested_path_with_function: r#"
        #[dyna(
            table = Health,
            pk = "USER#<user_id>",
            sk = "PROFILE",
            gsi1(as = by_email, pk = "EMAIL#<data.email|sha256>", sk = "<user_id|crate::keys::bucket>"),
        )]
        struct User { user_id: Uuid, data: UserData }
    "#;
    entity enum_of_variants: r#"
        #[serde(tag = "Type", rename_all_fields = "camelCase")]
        #[dyna(table = Shop, pk = "ORDER#<order_id>", sk = "EVT#<seq:010>")]
        pub enum Event {
            Placed { order_id: String, seq: u32, items: Vec<String> },
            #[serde(rename = "gone")]
            Cancelled { order_id: String, seq: u32, #[serde(flatten)] why: Reason },
        }
    "#;
    entity entity_with_a_mistake: r#"
        #[dyna(table = Shop, pk = "USER#<user>", sk = "ORDER#<n:05>", gsi1(as = by_state, pk = "<stat>"))]
        pub struct Order { pub user: String, n: u32, state: String }
    "#;
    nested nested_struct: r#"
        #[serde(rename_all = "camelCase")]
        pub struct UserData {
            pub email: String,
            pub display_name: Option<String>,
            pub status: Status,
            #[serde(with = "dyna_runtime::serde::string_set")] tags: BTreeSet<String>,
            #[serde(skip)] cached: bool,
        }
    "#;
    projection projection: r#"
        #[serde(rename_all = "camelCase")]
        #[dyna(of = User, index = gsi1)]
        pub struct Head {
            pub user_id: String,
            pub name: String,
            #[dyna(nested)] pub data: Plan,
        }
    "#;
    collection collection: r"
        #[dyna(index = gsi1)]
        pub enum Startup { Profile(User), Account(Account) }
    ";
    table table_of_entities: r#"
        /// Messages and users.
        #[dyna(
            name = "{stage}-chat",
            pk = "pk",
            sk = "sk",
            tag = "kind",
            ttl = "expires",
            stream = "new_and_old_images",
            index(gsi1, pk = "gsi1pk", sk = number("gsi1sk")),
            index(scores, pk = ["game", "region"], sk = ["points", "name"], projection = include("points", "status")),
            local_index(recent, name = "by-time", sk = "at", projection = "keys_only"),
            billing = provisioned(read = 5, write = 6),
            table_class = "infrequent_access",
            deletion_protection,
            encryption = kms("alias/chat"),
            resource_tags(team = "chat"),
        )]
        pub enum Chat { Message(Message), Person(people::User), #[dyna(unknown)] Other(Item) }
    "#;
    table table_without_entities: r#"
        #[dyna(name = "chat", pk = "pk", delimiter = "|", nulls = "store")]
        pub struct Chat;
    "#;
    table table_declared_elsewhere: r"
        #[dyna(schema = base::Chat)]
        enum App { Message(Message) }
    ";
    table entity_that_is_its_own_table: r#"
        #[dyna(table(name = "cards", pk = number("n"), index(color, pk = "color"), index(owner, pk = "owner")), pk = "<n>")]
        struct Card { n: i64, color: String }
    "#;
    key_part newtype: r"
        pub struct UserId(String);
    ";
    key_part newtype_with_a_named_field: r"
        pub struct UserId { text: String }
    ";
    key_part words: r#"
        #[serde(rename_all = "snake_case")]
        #[dyna(crate = dyna)]
        enum State { Open, InProgress, #[serde(rename = "x")] Closed }
    "#;
}
