// A team with its projects in OneTable: value templates, attributes in one map, attributes that are in the key alone, unique values.
import { Table } from "dynamodb-onetable";
import { Dynamo } from "dynamodb-onetable/Dynamo";
import { main } from "./library.mjs";

const schema = {
    format: "onetable:1.1.0",
    version: "0.0.1",
    indexes: {
        primary: { hash: "pk", sort: "sk" },
        gs1: { hash: "gs1pk", sort: "gs1sk", project: "all" },
    },
    models: {
        Account: {
            pk: { type: String, value: "account#${id}" },
            sk: { type: String, value: "account#" },
            id: { type: String, required: true },
            name: { type: String, required: true, unique: true },
            status: { type: String, default: "active", enum: ["active", "inactive"] },
            // Two properties that are packed into one attribute.
            plan: { type: String, map: "data.plan" },
            seats: { type: Number, map: "data.seats" },
            balance: { type: Number },
            gs1pk: { type: String, value: "account#" },
            gs1sk: { type: String, value: "account#${name}#${id}" },
        },
        User: {
            pk: { type: String, value: "account#${accountId}" },
            sk: { type: String, value: "user#${email}" },
            accountId: { type: String, required: true },
            email: { type: String, required: true },
            phone: { type: String, unique: true, scope: "${accountId}" },
            address: { type: Object, schema: { street: { type: String }, zip: { type: Number } } },
            roles: { type: Array, items: { type: String } },
            skills: { type: Set },
            born: { type: Date },
            photo: { type: Buffer },
            admin: { type: Boolean },
            // Without a project, this is not stored, and the user is not in the index.
            projectId: { type: String },
            gs1pk: { type: String, value: "project#${projectId}" },
            gs1sk: { type: String, value: "user#${email}" },
        },
        // The number is in the key alone, with zeros before it, and so is the name.
        Task: {
            pk: { type: String, value: "project#${projectId}" },
            sk: { type: String, value: "task#${rank:6:0}#${name}" },
            projectId: { type: String, required: true, encode: ["pk", "#", "1"] },
            rank: { type: Number, required: true },
            name: { type: String, required: true, encode: ["sk", "#", "2"] },
            done: { type: Boolean, default: false },
            expires: { type: Date, ttl: true },
        },
    },
    params: { isoDates: true, timestamps: true, typeField: "_type", createdField: "created", updatedField: "updated", separator: "#" },
};

function team(client, name) {
    return new Table({ client: new Dynamo({ client }), name, schema, partial: false, logger: false });
}

async function write(client, table) {
    const db = team(client, table);
    const [Account, User, Task] = ["Account", "User", "Task"].map((name) => db.getModel(name));
    await Account.create({ id: "a1", name: "Acme", plan: "pro", seats: 5, balance: -12.34 });
    await Account.create({ id: "a2", name: "Beta", status: "inactive" });
    await User.create({
        accountId: "a1",
        email: "Ann@example.com",
        phone: "+49 1",
        address: { street: "Main", zip: 12345 },
        roles: ["owner", "dev"],
        skills: new Set(["rust", "sql"]),
        born: new Date("1990-01-02T00:00:00.000Z"),
        photo: Buffer.from([0, 1, 255]),
        admin: true,
        projectId: "p1",
    });
    await User.create({ accountId: "a1", email: "bob@example.com", address: { street: "Side" }, roles: [] });
    await User.create({ accountId: "a2", email: "dan@example.com" });
    await Task.create({ projectId: "p1", rank: 7, name: "write" });
    await Task.create({ projectId: "p1", rank: 70, name: "test", done: true, expires: new Date("2027-01-01T00:00:00.000Z") });
}

async function change(client, table) {
    const db = team(client, table);
    const [Account, User, Task] = ["Account", "User", "Task"].map((name) => db.getModel(name));
    await Account.update({ id: "a1", balance: 7.5 });
    await Account.update({ id: "a2", name: "Gamma", status: "active" }, { return: "none" });
    await User.update({ accountId: "a1", email: "bob@example.com", projectId: "p1" }, { return: "none" });
    await Task.update({ projectId: "p1", rank: 7, name: "write", done: true });
    await Task.remove({ projectId: "p1", rank: 70, name: "test" });
    await Account.create({ id: "a3", name: "Delta", plan: "free", seats: 1 });
    await User.create({ accountId: "a3", email: "cy@example.com", phone: "+49 1", skills: new Set(["go"]), projectId: "p2" });
    await Task.create({ projectId: "p2", rank: 123456, name: "plan", expires: new Date("2027-01-01T00:00:00.000Z") });
}

async function read(client, table) {
    const db = team(client, table);
    const [Account, User, Task] = ["Account", "User", "Task"].map((name) => db.getModel(name));
    const plain = (items) => Array.from(items, (item) => (item === undefined ? "nothing" : item));
    return {
        "account by id": plain([await Account.get({ id: "a1" }), await Account.get({ id: "a3" })]),
        "accounts by name": plain(await Account.find({}, { index: "gs1" })),
        "account by name": plain(await Account.find({ name: "Gamma" }, { index: "gs1" })),
        "users of an account": plain(await User.find({ accountId: "a1" })),
        "user by e-mail": plain([await User.get({ accountId: "a3", email: "cy@example.com" })]),
        "users of a project": plain(await User.find({ projectId: "p1" }, { index: "gs1" })),
        "tasks of a project": plain(await Task.find({ projectId: "p1" })),
        "task by rank and name": plain([await Task.get({ projectId: "p2", rank: 123456, name: "plan" })]),
        "all of an account": Object.entries(await db.fetch(["Account", "User"], { pk: "account#a1" })),
        "an account's name is taken": [await Account.create({ id: "a9", name: "Delta" }).then(() => "free", (error) => error.code)],
    };
}

await main({ write, change, read });
