// A catalog of films in DynamoDB-Toolbox: computed keys, prefixes, links, attributes under other names.
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import {
    Entity, Table, GetItemCommand, PutItemCommand, UpdateItemCommand, DeleteItemCommand, QueryCommand, ScanCommand,
    item, string, number, boolean, binary, set, list, map, record, anyOf, any, $add, $remove,
} from "dynamodb-toolbox";
import { prefix } from "dynamodb-toolbox/transformers/prefix";
import { main } from "./library.mjs";

function catalog(client, name) {
    const documentClient = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
    const table = new Table({
        documentClient,
        name,
        partitionKey: { name: "pk", type: "string" },
        sortKey: { name: "sk", type: "string" },
        indexes: { gsi1: { type: "global", partitionKey: { name: "gsi1pk", type: "string" }, sortKey: { name: "gsi1sk", type: "number" } } },
    });

    // Keys by a function, an index key by links that follow updates.
    const film = new Entity({
        name: "Film",
        table,
        schema: item({
            id: string().key(),
            title: string().savedAs("t"),
            year: number(),
            rating: number().optional(),
            genres: set(string()).optional(),
            cast: list(map({ name: string(), role: string().savedAs("r").optional() })).optional(),
            names: record(string(), string()).optional(),
            poster: binary().optional(),
            seen: boolean().default(false),
            country: string().optional(),
        }).and((prev) => ({
            gsi1pk: string().hidden().optional()
                .link(({ country }) => (country === undefined ? undefined : `COUNTRY#${country}`)),
            gsi1sk: number().hidden().optional()
                .link(({ country, year }) => (country === undefined ? undefined : year)),
        })),
        computeKey: ({ id }) => ({ pk: `FILM#${id}`, sk: "FILM" }),
    });

    // Keys that are attributes, with a prefix; a union; the times under other names; anything.
    const review = new Entity({
        name: "Review",
        table,
        schema: item({
            filmId: string().key().savedAs("pk").transform(prefix("FILM")),
            userId: string().key().savedAs("sk").transform(prefix("REVIEW")),
            stars: number(),
            verdict: anyOf(
                map({ kind: string().const("text"), text: string() }),
                map({ kind: string().const("video"), url: string(), seconds: number() }),
            ).discriminate("kind").optional(),
            extra: any().optional(),
        }),
        timestamps: {
            created: { name: "createdAt", savedAs: "ca" },
            modified: { name: "modifiedAt", savedAs: "ma" },
        },
    });

    // No times, and the entity under another name.
    const counter = new Entity({
        name: "Counter",
        table,
        schema: item({ pk: string().key(), sk: string().key().default("#"), count: number().default(0) }),
        timestamps: false,
        entityAttribute: { name: "entity", hidden: false },
    });
    return { table, film, review, counter };
}

async function write(client, name) {
    const { film, review, counter } = catalog(client, name);
    const put = (entity, data) => entity.build(PutItemCommand).item(data).send();
    await put(film, {
        id: "f1",
        title: "Metropolis",
        year: 1927,
        rating: 8.3,
        genres: new Set(["sf", "drama"]),
        cast: [{ name: "Brigitte Helm", role: "Maria" }, { name: "Fritz Rasp" }],
        names: { de: "Metropolis", fr: "Métropolis" },
        poster: new Uint8Array([137, 80]),
        seen: true,
        country: "de",
    });
    await put(film, { id: "f2", title: "M", year: 1931 });
    await put(review, { filmId: "f1", userId: "ann", stars: 5, verdict: { kind: "text", text: "Great" }, extra: { a: [1, "x", null, { b: true }] } });
    await put(review, { filmId: "f1", userId: "bob", stars: 3, verdict: { kind: "video", url: "v/1", seconds: 61 } });
    await put(review, { filmId: "f2", userId: "ann", stars: 4 });
    await put(counter, { pk: "films", count: 2 });
}

async function change(client, name) {
    const { film, review, counter } = catalog(client, name);
    const put = (entity, data) => entity.build(PutItemCommand).item(data).send();
    const update = (entity, data) => entity.build(UpdateItemCommand).item(data).send();
    await update(film, { id: "f1", seen: false, rating: 8.4 });
    await update(review, { filmId: "f1", userId: "bob", stars: $add(1), verdict: $remove() });
    await review.build(DeleteItemCommand).key({ filmId: "f2", userId: "ann" }).send();
    await update(counter, { pk: "films", count: $add(1) });
    await put(film, { id: "f3", title: "Amélie", year: 2001, genres: new Set(["comedy"]), country: "fr" });
    await put(review, { filmId: "f3", userId: "cy", stars: 5 });
    await put(counter, { pk: "reviews", count: 3 });
}

async function read(client, name) {
    const { table, film, review, counter } = catalog(client, name);
    const get = async (entity, key) => (await entity.build(GetItemCommand).key(key).send()).Item ?? "nothing";
    const query = async (query) => (await table.build(QueryCommand).entities(film, review, counter).query(query).send()).Items ?? [];
    const scanned = (await table.build(ScanCommand).entities(film, review, counter).send()).Items ?? [];
    return {
        scan: scanned.sort((a, b) => (JSON.stringify(Object.entries(a).sort()) < JSON.stringify(Object.entries(b).sort()) ? -1 : 1)),
        "films by id": [await get(film, { id: "f1" }), await get(film, { id: "f3" })],
        "films of a country from 1900": await query({ index: "gsi1", partition: "COUNTRY#de", range: { gte: 1900 } }),
        "a film and its reviews": await query({ partition: "FILM#f1" }),
        "review": [await get(review, { filmId: "f3", userId: "cy" })],
        "counter": [await get(counter, { pk: "films" }), await get(counter, { pk: "reviews" })],
    };
}

await main({ write, change, read });
