//! Who buys what: tenants, orders, catalogs, groups, addresses.

use super::{DAY, FAMILY, TENANTS, WABAS, at, customer, pick, seconds};
use crate::model::Tenant;
use crate::model::{Address, Availability, BusinessProfile, Catalog, ConfigStatus, Group, Order};
use crate::model::{OrderStatus, PaymentConfig, PaymentKind, Product, Refund, RefundStatus, Sync};

pub fn tenants() -> Vec<Tenant> {
    (0..2)
        .map(|number| Tenant {
            tenant_id: TENANTS[number].to_owned(),
            display_name: pick(&["Spice House", "Book Barn"], number).to_owned(),
            waba_id: WABAS[number].to_owned(),
            phone_e164: format!("+9180{number:08}"),
            mcc: pick(&["5411", "5942"], number).to_owned(),
            purpose_code: "00".to_owned(),
            default_payment_config: "upi".to_owned(),
            created_at: at(0),
        })
        .collect()
}

/// A gateway and UPI for each tenant.
pub fn payment_configs() -> Vec<PaymentConfig> {
    (0..4)
        .map(|number| {
            let gateway = number % 2 == 0;
            PaymentConfig {
                tenant_id: pick(&TENANTS, number / 2).to_owned(),
                config_name: if gateway { "gateway" } else { "upi" }.to_owned(),
                kind: if gateway {
                    PaymentKind::Pg
                } else {
                    PaymentKind::Upi
                },
                status: ConfigStatus::Active,
                payment_gateway_mid: gateway.then(|| format!("acc_{number}")),
                upi_id: (!gateway).then(|| format!("shop{number}@upi")),
                mcc: "5411".to_owned(),
                purpose_code: "00".to_owned(),
                last_validated_at: at(DAY),
            }
        })
        .collect()
}

/// 60 orders, one an hour, of 30 customers; every third one is not paid yet.
pub fn orders() -> Vec<Order> {
    (0..60)
        .map(|number| {
            let paid = number % 3 != 2;
            Order {
                tenant_id: pick(&TENANTS, number).to_owned(),
                order_id: format!("order-{number:03}"),
                reference_id: format!("ref-{number:03}"),
                config_name: "upi".to_owned(),
                customer_phone: format!("+{}", customer(number % 30)),
                currency: "INR".to_owned(),
                total_amount: 10_000 + 250 * number as u64,
                status: if paid {
                    OrderStatus::Completed
                } else {
                    OrderStatus::Pending
                },
                payment_status: if paid { "captured" } else { "pending" }.to_owned(),
                transaction_id: paid.then(|| format!("pay_{number:03}")),
                created_at: at(seconds(number) * 3_600),
            }
        })
        .collect()
}

/// The first ten orders that were paid, a day later.
pub fn refunds() -> Vec<Refund> {
    let paid = orders()
        .into_iter()
        .filter(|order| order.status == OrderStatus::Completed);
    paid.take(10)
        .enumerate()
        .map(|(number, order)| Refund {
            refund_id: format!("refund-{number:02}"),
            order_id: order.order_id,
            tenant_id: order.tenant_id,
            customer_phone: order.customer_phone,
            amount: order.total_amount / 2,
            currency: order.currency,
            status: if number % 2 == 0 {
                RefundStatus::Completed
            } else {
                RefundStatus::Pending
            },
            reason: "Damaged".to_owned(),
            created_at: at(DAY * 3 + seconds(number) * 60),
            processed_at: (number % 2 == 0).then(|| at(DAY * 4)),
        })
        .collect()
}

pub fn profiles() -> Vec<BusinessProfile> {
    (0..2)
        .map(|number| BusinessProfile {
            waba_meta_id: WABAS[number].to_owned(),
            business_name: pick(&["Spice House", "Book Barn"], number).to_owned(),
            about: "Open every day".to_owned(),
            address: "Kolkata".to_owned(),
            description: "A shop".to_owned(),
            email: format!("shop{number}@example.com"),
            websites: vec![format!("https://shop{number}.example.com")],
            vertical: "RETAIL".to_owned(),
            sync_status: pick(&[Sync::Synced, Sync::PendingSync], number),
            updated_at: at(DAY),
        })
        .collect()
}

pub fn groups() -> Vec<Group> {
    [FAMILY, "group-club"]
        .map(|id| Group {
            group_id: id.to_owned(),
            waba_meta_id: WABAS[1].to_owned(),
            name: format!("The {id}"),
            description: String::new(),
            participants: (0..5).map(customer).collect(),
            admins: vec![customer(0)],
            created_at: at(0),
            updated_at: at(DAY),
        })
        .to_vec()
}

pub fn catalogs() -> Vec<Catalog> {
    ["spices", "books"]
        .into_iter()
        .zip(WABAS)
        .map(|(id, waba)| Catalog {
            catalog_id: id.to_owned(),
            waba_meta_id: waba.to_owned(),
            name: format!("All {id}"),
            product_count: 25,
            synced_at: at(DAY),
        })
        .collect()
}

/// A catalog, five things in it, and five kinds of each.
const GOODS: [(&str, [&str; 5], [&str; 5]); 2] = [
    (
        "spices",
        ["Turmeric", "Cumin", "Cardamom", "Coriander", "Mustard seed"],
        ["whole", "ground", "roasted", "smoked", "organic"],
    ),
    (
        "books",
        ["Poems", "Travels", "Letters", "Fables", "Maps"],
        [
            "hardback",
            "paperback",
            "large print",
            "in two volumes",
            "illustrated",
        ],
    ),
];

/// 25 of each catalog.
pub fn products() -> Vec<Product> {
    (0..50)
        .map(|number| {
            let (catalog, names, kinds) = pick(&GOODS, number / 25);
            Product {
                catalog_id: catalog.to_owned(),
                retailer_id: format!("sku-{:03}", number % 25),
                name: format!("{}, {}", pick(&names, number / 5), pick(&kinds, number)),
                description: "As it says".to_owned(),
                price: 9_900 + number as u64,
                currency: "INR".to_owned(),
                image_url: format!("https://example.com/{catalog}/{number}.jpg"),
                availability: pick(&[Availability::InStock, Availability::OutOfStock], number),
            }
        })
        .collect()
}

/// One of each of 20 customers.
pub fn addresses() -> Vec<Address> {
    (0..20)
        .map(|number| Address {
            customer_phone: format!("+{}", customer(number)),
            address_id: "home".to_owned(),
            name: format!("Customer {number}"),
            phone_number: format!("+{}", customer(number)),
            address: format!("{number} Park Street"),
            city: "Kolkata".to_owned(),
            state: "West Bengal".to_owned(),
            postal_code: "700016".to_owned(),
            country: "IN".to_owned(),
            is_default: true,
            created_at: at(60 * seconds(number)),
        })
        .collect()
}
