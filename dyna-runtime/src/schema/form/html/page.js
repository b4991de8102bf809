"use strict";
const data = JSON.parse(document.getElementById("data").textContent);

/** An element with its attributes and children. Text is always text. */
function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "hue") element.style.setProperty("--hue", value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return element;
}

/** The place in the page, such as `#/Shop/entity/Order`. */
function place() {
  const [, type, kind, name] = location.hash.split("/").map(decodeURIComponent);
  const table = data.tables.find((table) => table.type === type) ?? data.tables[0];
  return { table, kind: kind ?? "key", name: name ?? "" };
}

function link(table, kind, name) {
  return "#/" + [table.type, kind, name].map(encodeURIComponent).join("/");
}

/** Colours that are far from each other, one for each entity. */
function hue(table, entity) {
  const at = table.entities.findIndex((other) => other.name === entity);
  return Math.round((at * 137.5 + 215) % 360);
}

function chip(table, entity, tag = "span") {
  const href = tag === "a" ? link(table, "entity", entity) : undefined;
  return el(tag, { class: "chip", hue: hue(table, entity), href }, entity);
}

/** A template with its placeholders set off. */
function template(text) {
  const pieces = text.split(/(<[^<>]*>)/).filter((piece) => piece !== "");
  return el("code", {}, pieces.map((piece) => (/^<[^<>]*>$/.test(piece) ? el("span", { class: "hole" }, piece) : piece)));
}

function keyName(key) {
  return key.name === "" ? "Table" : key.name;
}

function chart(head, rows) {
  const cells = (tag, row) => el("tr", {}, row.map((cell) => el(tag, {}, ...[cell].flat())));
  return el("div", { class: "card scroll" }, el("table", {}, el("thead", {}, cells("th", head)), el("tbody", {}, rows.map((row) => cells("td", row)))));
}

function showTop({ table }) {
  const tables = data.tables.length < 2 ? [] : [
    el("div", { class: "tables" }, data.tables.map((other) =>
      el("a", { href: link(other, "key", ""), "aria-current": other === table && "true" }, other.type))),
  ];
  const facts = table.facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)));
  document.getElementById("top").replaceChildren(
    ...tables,
    el("h1", {}, table.type),
    el("p", {}, table.doc === "" ? el("code", {}, table.name) : table.doc),
    el("dl", { class: "facts" }, el("div", {}, el("dt", {}, "name"), el("dd", {}, table.name)), facts),
  );
}

function showNav(now) {
  const { table } = now;
  const entry = (kind, name, text, count, dot) => {
    const current = now.kind === kind && now.name === name;
    const attributes = { href: link(table, kind, name), "aria-current": current && "page" };
    return el("a", attributes, dot, text, count === undefined ? null : el("span", { class: "count" }, String(count)));
  };
  const keys = table.keys.map((key) => entry("key", key.name, keyName(key), key.partitions.length));
  const entities = table.entities.map((entity) => {
    const count = table.items.filter((item) => item.entity === entity.name).length;
    return entry("entity", entity.name, entity.name, count, el("span", { class: "dot", hue: hue(table, entity.name) }));
  });
  document.getElementById("nav").replaceChildren(
    el("h2", {}, "Partitions by"), ...keys,
    el("h2", {}, "Entities"), ...entities,
    el("h2", {}, "Requests"), entry("requests", "", "Access patterns", table.patterns.length),
  );
}

/** An item of a partition; open it to see all of it. */
function row(table, { sk, item }, faded) {
  const { entity, item: attributes } = table.items[item];
  const shown = sk === "" ? el("span", { class: "soft" }, "no sort key") : el("span", { class: "mono" }, sk);
  return el("details", { class: faded ? "item other" : "item", hue: hue(table, entity) },
    el("summary", {}, shown, chip(table, entity)),
    el("pre", {}, JSON.stringify(attributes, null, 2)));
}

function partitions(table, key, only) {
  const shared = key.partitions.filter((partition) =>
    only === undefined || partition.items.some(({ item }) => table.items[item].entity === only));
  if (shared.length === 0) return [el("div", { class: "card empty" }, "No item is in it.")];
  return shared.map((partition) => {
    const count = partition.items.length;
    return el("section", { class: "card partition" },
      el("header", {},
        el("span", { class: "soft" }, key.pk.join(" · ")),
        el("span", { class: "mono" }, partition.pk),
        el("span", {}, count === 1 ? "1 item" : `${count} items`)),
      partition.items.map((entry) =>
        row(table, entry, only !== undefined && table.items[entry.item].entity !== only)));
  });
}

function showKey(table, key) {
  const head = ["Entity", ...key.pk, ...key.sk];
  const members = key.members.map((member) =>
    [chip(table, member.entity, "a"), ...[...member.pk, ...member.sk].map(template)]);
  const title = key.name === "" ? "The table by its own key" : `Index ${key.name}`;
  const sorted = key.sk.length === 0 ? "" : ` Items are in the order of ${key.sk.join(", then ")}.`;
  const about = key.name === "" ? "" : `A ${key.scope} with ${key.holds}.`;
  return [
    el("h2", {}, title),
    el("p", { class: "soft" }, `${about}${sorted}`.trim()),
    chart(head, members),
    el("h3", {}, "Items by partition"),
    ...partitions(table, key),
  ];
}

function request(pattern) {
  const asks = pattern.index === undefined ? pattern.operation : `${pattern.operation} on ${pattern.index}`;
  return el("div", { class: "request" },
    el("code", { class: "call" }, pattern.call),
    el("dl", {},
      el("dt", {}, "asks"), el("dd", {}, asks),
      el("dt", {}, "key"), el("dd", {}, el("code", {}, pattern.condition)),
      pattern.values.map(([name, value]) => [el("dt", {}, name), el("dd", {}, template(value))]).flat()));
}

function showEntity(table, entity) {
  const keys = table.keys.flatMap((key) => key.members
    .filter((member) => member.entity === entity.name)
    .map((member) => ({ key, member })));
  const fields = entity.fields.map((field) => [
    el("code", {}, field.name),
    field.attribute === undefined ? "in the key" : el("code", {}, field.attribute),
    el("code", {}, field.type),
    field.doc,
  ]);
  const templates = keys.map(({ key, member }) =>
    [el("a", { href: link(table, "key", key.name) }, keyName(key)), member.pk.map(template), member.sk.map(template)]);
  return [
    el("h2", {}, entity.name, " ", el("span", { class: "dot", hue: hue(table, entity.name), style: "display: inline-block" })),
    el("p", { class: "soft" }, entity.doc),
    chart(["Key", "Partition", "Sort"], templates),
    el("h3", {}, "Access patterns"),
    el("div", { class: "card" }, table.patterns.filter((pattern) => pattern.entity === entity.name).map(request)),
    el("h3", {}, "Its partitions, with what else is in them"),
    ...partitions(table, table.keys[0], entity.name),
    el("h3", {}, "Fields"),
    chart(["Field", "Attribute", "Type", "About"], fields),
  ];
}

function showRequests(table) {
  const list = el("div", { class: "card" });
  const search = el("input", { type: "search", placeholder: "An entity, a field, an index", "aria-label": "Search the access patterns" });
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/);
    const found = table.patterns.filter((pattern) => {
      const text = JSON.stringify(pattern).toLowerCase();
      return words.every((word) => text.includes(word));
    });
    list.replaceChildren(...(found.length === 0 ? [el("div", { class: "empty" }, "Nothing is asked like that.")] : found.map(request)));
  };
  search.addEventListener("input", show);
  show();
  return [
    el("h2", {}, "Access patterns"),
    el("p", { class: "soft" }, "What can be asked by key, in Rust and in DynamoDB's own terms."),
    el("div", { class: "bar" }, search),
    list,
  ];
}

function show() {
  const now = place();
  const { table } = now;
  const entity = table.entities.find((entity) => entity.name === now.name);
  const key = table.keys.find((key) => key.name === now.name) ?? table.keys[0];
  let content;
  if (now.kind === "entity" && entity) content = showEntity(table, entity);
  else if (now.kind === "requests") content = showRequests(table);
  else content = showKey(table, key);
  showTop(now);
  showNav(now);
  document.getElementById("main").replaceChildren(...content);
  document.getElementById("nav").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

addEventListener("hashchange", () => { show(); scrollTo(0, 0); });
show();
