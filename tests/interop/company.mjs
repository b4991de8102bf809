// A company in ElectroDB, in the table of the shop: a service of its own with isolated and clustered collections, keys whose attributes are
// missing, every casing, templates, two versions of one entity, and an entity under a key of one attribute.
import { Entity, Service } from "electrodb";

export function company(client, table) {
    const config = { client, table };
    const model = (entity, attributes, indexes, version = "1") =>
        new Entity({ model: { entity, version, service: "company" }, attributes, indexes }, config);
    const text = { type: "string" };
    const needed = { type: "string", required: true };
    const primary = (pk, sk, more = {}) => ({ pk: { field: "pk", composite: pk }, sk: { field: "sk", composite: sk }, ...more });
    const secondary = (n, pk, sk, more = {}) => ({
        index: `gsi${n}`,
        pk: { field: `gsi${n}pk`, composite: pk },
        sk: { field: `gsi${n}sk`, composite: sk },
        ...more,
    });

    // Two attributes in the sort key of an index, which may both be missing: the key ends at the first.
    const employee = model(
        "Employee",
        { employeeId: needed, office: needed, team: text, title: text, manager: text, hired: text },
        {
            employee: primary(["employeeId"], []),
            coworkers: secondary(1, ["office"], ["team", "title"], { collection: "workplaces" }),
            reports: secondary(2, ["manager"], ["employeeId"]),
        },
    );
    const office = model(
        "Office",
        { office: needed, country: needed, desks: { type: "number", required: true } },
        { office: primary(["country"], ["office"]), workplace: secondary(1, ["office"], [], { collection: "workplaces" }) },
    );

    // A clustered collection: the attributes stand before the entity, so that tasks and meetings of a day are side by side.
    const task = model(
        "Task",
        { project: needed, day: needed, taskId: needed, done: { type: "boolean" } },
        { task: primary(["project"], ["day", "taskId"], { collection: "agenda", type: "clustered" }) },
    );
    const meeting = model(
        "Meeting",
        { project: needed, day: needed, meetingId: needed, room: text },
        { meeting: primary(["project"], ["day", "meetingId"], { collection: "agenda", type: "clustered" }) },
    );

    // Every casing.
    const badge = model(
        "Badge",
        { badgeId: needed, holder: needed },
        {
            badge: { pk: { field: "pk", composite: ["badgeId"], casing: "upper" }, sk: { field: "sk", composite: [], casing: "lower" } },
            byHolder: {
                index: "gsi1",
                pk: { field: "gsi1pk", composite: ["holder"], casing: "none" },
                sk: { field: "gsi1sk", composite: ["badgeId"], casing: "upper" },
            },
        },
    );

    // Padded numbers: one that sorts, one with another character.
    const log = model(
        "Log",
        {
            device: needed,
            at: { type: "number", required: true, padding: { length: 13, char: "0" } },
            level: { type: "number", required: true, padding: { length: 2, char: "0" } },
            lines: { type: "list", items: { type: "map", properties: { text: { type: "string" }, code: { type: "number" } } } },
        },
        { log: primary(["device"], ["at", "level"]) },
    );

    // Templates: without labels, with a prefix, with an attribute in the middle.
    const contract = model(
        "Contract",
        { year: { type: "number", required: true }, number: needed, partner: needed, codes: { type: "set", items: "number" } },
        {
            contract: {
                pk: { field: "pk", composite: ["year"], template: "contracts/${year}" },
                sk: { field: "sk", composite: ["number"], template: "no-${number}-final" },
            },
            byPartner: {
                index: "gsi2",
                pk: { field: "gsi2pk", composite: ["partner"], template: "${partner}" },
                sk: { field: "gsi2sk", composite: ["year", "number"], template: "${year}:${number}" },
            },
        },
    );

    // Two versions of one entity: the same `__edb_e__`, other keys.
    const skill = model("Skill", { name: needed, level: text }, { skill: primary(["name"], []) });
    const skill2 = model("Skill", { area: needed, name: needed, level: { type: "number" } }, { skill: primary(["area"], ["name"]) }, "2");

    // A partition key that may be missing, and a sort key of the same attribute.
    const leave = model(
        "Leave",
        { leaveId: needed, approver: text, from: text },
        { leave: primary(["leaveId"], []), toApprove: secondary(1, ["approver"], ["from"]) },
    );

    // Unpadded numbers and booleans on both sides of a key.
    const seat = model(
        "Seat",
        { floor: { type: "number", required: true }, window: { type: "boolean", required: true }, seat: { type: "number", required: true }, taken: text },
        { seat: primary(["floor", "window"], ["seat"]), byTaker: secondary(2, ["taken"], ["floor", "seat"]) },
    );

    // Attributes of every kind that are in no key.
    const note = model(
        "Note",
        {
            noteId: needed,
            body: { type: "any" },
            tags: { type: "set", items: "string" },
            meta: {
                type: "map",
                properties: { stars: { type: "number" }, by: { type: "map", properties: { name: { type: "string" }, bot: { type: "boolean" } } } },
            },
            private: { type: "string", hidden: true },
        },
        { note: primary(["noteId"], []) },
    );

    // A label for an attribute, and a field of another name in keys of three attributes.
    const shift = model(
        "Shift",
        { office: { ...needed, label: "at" }, week: needed, employeeId: { ...needed, field: "eid" }, hours: { type: "number", required: true } },
        { shift: primary(["office", "week"], ["employeeId"]), byEmployee: secondary(1, ["employeeId"], ["office", "week"]) },
    );
    return new Service({ employee, office, task, meeting, badge, log, contract, leave, seat, note, shift, skill, skill2 }, config);
}

export async function hire(client, table) {
    const { employee, office, task, meeting, badge, log, contract, skill, skill2, leave, seat, note, shift } = company(client, table).entities;
    await employee.create({ employeeId: "E-1", office: "Köln", team: "Data", title: "Lead", manager: "E-9", hired: "2020-01-02" }).go();
    await employee.create({ employeeId: "E-2", office: "Köln", manager: "E-9" }).go();
    await employee.create({ employeeId: "E-3", office: "Köln" }).go();
    await office.create({ office: "Köln", country: "DE", desks: 40 }).go();
    await task.create({ project: "P-1", day: "2026-11-18", taskId: "T-1", done: false }).go();
    await meeting.create({ project: "P-1", day: "2026-11-18", meetingId: "M-1", room: "R1" }).go();
    await meeting.create({ project: "P-1", day: "2026-11-19", meetingId: "M-2" }).go();
    await task.create({ project: "P-1", day: "2026-11-19", taskId: "T-2" }).go();
    await badge.create({ badgeId: "b-Ä7", holder: "Ann" }).go();
    await log.create({ device: "Door-1", at: 1794971045678, level: 3, lines: [{ text: "open", code: 7 }, { text: "", code: -1.5 }] }).go();
    await contract.create({ year: 2026, number: "A7", partner: "Acme", codes: [7, 12] }).go();
    await skill.create({ name: "Rust", level: "high" }).go();
    await skill2.create({ area: "Code", name: "Rust", level: 5 }).go();
    await leave.create({ leaveId: "L-1", approver: "E-9", from: "2026-12-24" }).go();
    await leave.create({ leaveId: "L-2" }).go();
    await leave.create({ leaveId: "L-3", approver: "E-9" }).go();
    await seat.create({ floor: 2, window: true, seat: 14, taken: "E-1" }).go();
    await seat.create({ floor: 2, window: false, seat: 7 }).go();
    await note.create({ noteId: "N-1", body: { any: [1, "two", null, true] }, tags: ["a"], meta: { stars: 5, by: { name: "Ann", bot: false } }, private: "x" }).go();
    await note.create({ noteId: "N-2", body: "text" }).go();
    await shift.create({ office: "Köln", week: "2026-W47", employeeId: "E-1", hours: 7.5 }).go();
}

export async function promote(client, table) {
    const { employee, task, leave, seat, shift, skill2, meeting } = company(client, table).entities;
    await employee.update({ employeeId: "E-2" }).set({ team: "Web", title: "Dev" }).composite({ office: "Köln" }).go();
    await task.update({ project: "P-1", day: "2026-11-18", taskId: "T-1" }).set({ done: true }).go();
    await meeting.delete({ project: "P-1", day: "2026-11-18", meetingId: "M-1" }).go();
    await leave.update({ leaveId: "L-2" }).set({ approver: "E-8", from: "2026-12-01" }).go();
    await seat.update({ floor: 2, window: false, seat: 7 }).set({ taken: "E-2" }).go();
    await shift.update({ office: "Köln", week: "2026-W47", employeeId: "E-1" }).add({ hours: 1 }).go();
    await skill2.create({ area: "Code", name: "SQL" }).go();
    await employee.create({ employeeId: "E-4", office: "Bonn", manager: "E-1" }).go();
}

export async function lookAround(client, table, { all, collection }) {
    const service = company(client, table);
    const { employee, task, meeting, badge, log, contract, skill, skill2, leave, seat, note, shift } = service.entities;
    return {
        "coworkers of a team": await all(employee.query.coworkers({ office: "köln", team: "Data" })),
        "coworkers of a team and title": await all(employee.query.coworkers({ office: "Köln", team: "Web", title: "dev" })),
        "reports of a manager": await all(employee.query.reports({ manager: "E-9" })),
        "tasks of a project from a day": await all(task.query.task({ project: "P-1" }).gte({ day: "2026-11-18" })),
        "badges of a holder": await all(badge.query.byHolder({ holder: "Ann" })),
        "logs of a device": await all(log.query.log({ device: "Door-1" }).gt({ at: 1000000000000 })),
        "contracts of a year": await all(contract.query.contract({ year: 2026 })),
        "contracts of a partner": await all(contract.query.byPartner({ partner: "Acme" })),
        "skill of version 1": await all(skill.query.skill({ name: "rust" })),
        "skills of version 2": await all(skill2.query.skill({ area: "code" })),
        "leave to approve": await all(leave.query.toApprove({ approver: "E-9" })),
        "leave that was approved": await all(leave.query.toApprove({ approver: "E-8" })),
        "seats at the window": await all(seat.query.seat({ floor: 2, window: true })),
        "seat of an employee": await all(seat.query.byTaker({ taken: "E-2" })),
        "note by id": [(await note.get({ noteId: "N-1" }).go()).data],
        "shifts of an employee": await all(shift.query.byEmployee({ employeeId: "E-1" })),
        "collection workplaces": await collection(service.collections.workplaces({ office: "Köln" })),
        "collection agenda": await collection(service.collections.agenda({ project: "P-1" })),
    };
}
