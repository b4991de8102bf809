// A shop in ElectroDB: the keys that it makes by itself, in all their forms.
import { Entity, Service } from "electrodb";
import { company, hire, lookAround, promote } from "./company.mjs";
import { main } from "./library.mjs";

function shop(client, table) {
    const config = { client, table };
    const model = (entity, attributes, indexes, version = "1") =>
        new Entity({ model: { entity, version, service: "shop" }, attributes, indexes }, config);
    const times = {
        createdAt: { type: "string", readOnly: true, default: () => new Date().toISOString(), set: (at) => at },
        updatedAt: { type: "string", watch: "*", default: () => new Date().toISOString(), set: () => new Date().toISOString() },
    };

    // Keys in lower case, an attribute under another name, a map, a list, a set, and no sort-key attributes.
    const customer = model(
        "Customer",
        {
            customerId: { type: "string", required: true },
            email: { type: "string", required: true, field: "mail" },
            name: { type: "map", properties: { first: { type: "string" }, last: { type: "string" } } },
            tier: { type: ["basic", "gold"] },
            tags: { type: "set", items: "string" },
            visits: { type: "number" },
            notes: { type: "list", items: { type: "string" } },
            active: { type: "boolean" },
            referrer: { type: "string" },
            ...times,
        },
        {
            customer: { pk: { field: "pk", composite: ["customerId"] }, sk: { field: "sk", composite: [] }, collection: "account" },
            byEmail: { index: "gsi1", pk: { field: "gsi1pk", composite: ["email"] }, sk: { field: "gsi1sk", composite: [] } },
            byReferrer: { index: "gsi2", pk: { field: "gsi2pk", composite: ["referrer"] }, sk: { field: "gsi2sk", composite: [] } },
        },
    );

    // In a collection with the customer, which has one order after the other. Two indexes whose keys have an attribute that may be absent: the key ends
    // where it would stand. A number that is not padded.
    const order = model(
        "Order",
        {
            customerId: { type: "string", required: true },
            orderId: { type: "string", required: true },
            status: { type: ["open", "paid", "sent"], required: true },
            total: { type: "number", required: true },
            shippedOn: { type: "string" },
            carrier: { type: "string" },
            priority: { type: "boolean" },
        },
        {
            order: { pk: { field: "pk", composite: ["customerId"] }, sk: { field: "sk", composite: ["orderId"] }, collection: "account" },
            byStatus: {
                index: "gsi1",
                pk: { field: "gsi1pk", composite: ["status"] },
                sk: { field: "gsi1sk", composite: ["shippedOn"] },
            },
            byCarrier: {
                index: "gsi2",
                pk: { field: "gsi2pk", composite: ["carrier"] },
                sk: { field: "gsi2sk", composite: ["total"] },
            },
        },
    );

    // A padded number, in a collection within a collection.
    const line = model(
        "LineItem",
        {
            orderId: { type: "string", required: true },
            line: { type: "number", required: true, padding: { length: 5, char: "0" } },
            sku: { type: "string", required: true },
            quantity: { type: "number", required: true },
        },
        {
            line: { pk: { field: "pk", composite: ["orderId"] }, sk: { field: "sk", composite: ["line"] }, collection: ["items", "lines"] },
            bySku: { index: "gsi1", pk: { field: "gsi1pk", composite: ["sku"] }, sk: { field: "gsi1sk", composite: ["orderId", "line"] } },
        },
    );
    const parcel = model(
        "Parcel",
        {
            orderId: { type: "string", required: true },
            parcelId: { type: "string", required: true },
            weight: { type: "number" },
        },
        { parcel: { pk: { field: "pk", composite: ["orderId"] }, sk: { field: "sk", composite: ["parcelId"] }, collection: "items" } },
    );

    // Templates of one's own, in upper case and as they are; version 2; labels.
    const store = model(
        "Store",
        {
            country: { type: "string", required: true, label: "c" },
            city: { type: "string", required: true },
            storeId: { type: "string", required: true },
            opened: { type: "string" },
        },
        {
            store: {
                pk: { field: "pk", composite: ["country"], template: "STORE#${country}", casing: "upper" },
                sk: { field: "sk", composite: ["city", "storeId"], template: "CITY#${city}#${storeId}", casing: "none" },
            },
            byId: { index: "gsi1", pk: { field: "gsi1pk", composite: ["storeId"], casing: "none" }, sk: { field: "gsi1sk", composite: ["country"] } },
        },
        "2",
    );

    // Two attributes in the partition key, a boolean and a number in keys, and an index under a condition.
    const stock = model(
        "Stock",
        {
            storeId: { type: "string", required: true },
            sku: { type: "string", required: true },
            frozen: { type: "boolean", required: true },
            shelf: { type: "number", required: true },
            count: { type: "number", required: true },
        },
        {
            stock: {
                pk: { field: "pk", composite: ["storeId", "sku"] },
                sk: { field: "sk", composite: ["frozen", "shelf"] },
            },
            shortage: {
                index: "gsi2",
                condition: ({ count }) => count < 10,
                pk: { field: "gsi2pk", composite: ["storeId"] },
                sk: { field: "gsi2sk", composite: ["sku"] },
            },
        },
    );
    return new Service({ customer, order, line, parcel, store, stock }, config);
}

async function write(client, table) {
    const { customer, order, line, parcel, store, stock } = shop(client, table).entities;
    await customer.create({
        customerId: "C-1",
        email: "Ann@Example.com",
        name: { first: "Ann", last: "Öz" },
        tier: "gold",
        tags: ["new", "vip"],
        visits: 12,
        notes: ["likes tea", ""],
        active: true,
    }).go();
    await customer.create({ customerId: "C-2", email: "bob@example.com", referrer: "C-1" }).go();
    await order.create({ customerId: "C-1", orderId: "O-1", status: "open", total: 1990 }).go();
    await order.create({ customerId: "C-1", orderId: "O-2", status: "sent", total: 10000, shippedOn: "2026-11-17", carrier: "Post" }).go();
    await order.create({ customerId: "C-2", orderId: "O-3", status: "paid", total: 700, carrier: "Bike", priority: false }).go();
    await line.put([
        { orderId: "O-1", line: 1, sku: "Tea-01", quantity: 2 },
        { orderId: "O-1", line: 12, sku: "Cup-07", quantity: 1 },
        { orderId: "O-2", line: 1, sku: "Tea-01", quantity: 10 },
    ]).go();
    await parcel.create({ orderId: "O-2", parcelId: "P-1", weight: 1.25 }).go();
    await store.create({ country: "de", city: "Köln", storeId: "S-1", opened: "2020-02-29" }).go();
    await store.create({ country: "fr", city: "Lyon", storeId: "S-2" }).go();
    await stock.create({ storeId: "S-1", sku: "Tea-01", frozen: false, shelf: 3, count: 40 }).go();
    await stock.create({ storeId: "S-1", sku: "Ice-01", frozen: true, shelf: 12, count: 4 }).go();
    await hire(client, table);
}

async function change(client, table) {
    const { customer, order, line, parcel, store, stock } = shop(client, table).entities;
    await customer.update({ customerId: "C-1" }).set({ tier: "basic" }).add({ visits: 1 }).go();
    await customer.update({ customerId: "C-2" }).set({ email: "Bob@Example.org" }).go();
    await order.update({ customerId: "C-1", orderId: "O-1" })
        .set({ status: "sent", shippedOn: "2026-11-18", carrier: "Bike", total: 1990 }).go();
    await line.delete({ orderId: "O-1", line: 12 }).go();
    await customer.create({ customerId: "C-3", email: "Cy@example.com", name: { first: "Cy" }, tags: ["new"] }).go();
    await order.create({ customerId: "C-3", orderId: "O-4", status: "open", total: 350 }).go();
    await line.create({ orderId: "O-4", line: 2, sku: "Tea-01", quantity: 1 }).go();
    await parcel.create({ orderId: "O-4", parcelId: "P-9" }).go();
    await store.create({ country: "de", city: "Bonn", storeId: "S-3" }).go();
    await stock.update({ storeId: "S-1", sku: "Tea-01", frozen: false, shelf: 3 }).set({ count: 9 }).composite({ storeId: "S-1", sku: "Tea-01" }).go();
    await stock.create({ storeId: "S-3", sku: "Tea-01", frozen: false, shelf: 1, count: 5 }).go();
    await promote(client, table);
}

async function read(client, table) {
    const service = shop(client, table);
    const { customer, order, line, store, stock } = service.entities;
    const all = async (query) => (await query.go({ pages: "all" })).data;
    const sorted = (items) => items.sort((a, b) => (JSON.stringify(Object.entries(a).sort()) < JSON.stringify(Object.entries(b).sort()) ? -1 : 1));
    const collection = async (query) => Object.entries((await query.go({ pages: "all" })).data);
    const scans = {};
    for (const [name, entity] of Object.entries({ ...service.entities, ...company(client, table).entities })) {
        scans[`scan of ${name}`] = sorted(await all(entity.scan));
    }
    return {
        ...scans,
        ...(await lookAround(client, table, { all, collection })),
        "customer by id": [(await customer.get({ customerId: "C-1" }).go()).data],
        "customer by e-mail": await all(customer.query.byEmail({ email: "BOB@example.org" })),
        "customers by referrer": await all(customer.query.byReferrer({ referrer: "C-1" })),
        "orders of a customer": await all(order.query.order({ customerId: "C-1" })),
        "orders by status": await all(order.query.byStatus({ status: "sent" })),
        "orders by status and day": await all(order.query.byStatus({ status: "sent", shippedOn: "2026-11-18" })),
        "orders by carrier": await all(order.query.byCarrier({ carrier: "Bike", total: 1990 })),
        "lines from 1 to 10": await all(line.query.line({ orderId: "O-1" }).between({ line: 1 }, { line: 10 })),
        "lines by sku": await all(line.query.bySku({ sku: "Tea-01" })),
        "stores of a country": await all(store.query.store({ country: "DE" })),
        "stores by id": await all(store.query.byId({ storeId: "S-3" })),
        "stock that is not frozen": await all(stock.query.stock({ storeId: "S-1", sku: "Tea-01", frozen: false })),
        "stock that is short": await all(stock.query.shortage({ storeId: "S-1" })),
        "collection account": await collection(service.collections.account({ customerId: "C-3" })),
        "collection items": await collection(service.collections.items({ orderId: "O-4" })),
        "collection lines": await collection(service.collections.lines({ orderId: "O-4" })),
    };
}

await main({ write, change, read });
