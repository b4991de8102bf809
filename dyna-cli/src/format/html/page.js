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
  element.append(...children.flat(2).filter((child) => child !== undefined && child !== null));
  return element;
}

/** The place in the page, such as `#/Shop/entity/Order`. What it cannot find, it shows from the start. */
function place() {
  const decoded = (text) => { try { return decodeURIComponent(text); } catch { return ""; } };
  const [, title, kind, name] = location.hash.split("/").map(decoded);
  const table = data.tables.find((table) => table.title === title) ?? data.tables[0];
  return { table, kind: kind ?? "key", name: name ?? "" };
}

function link(table, kind, name) {
  return "#/" + [table.title, kind, name].map(encodeURIComponent).join("/");
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

/** A template with its placeholders set off; a long one breaks between its fields. */
function template(text) {
  const pieces = text.split(/(<[^<>]*>|#)/).filter((piece) => piece !== "");
  return el("code", {}, pieces.flatMap((piece) => {
    if (piece === "#") return [piece, el("wbr")];
    return /^<[^<>]*>$/.test(piece) ? [el("span", { class: "hole" }, piece)] : [piece];
  }));
}

/** A doc comment: code is set off, and links to items of Rust are only code. */
function prose(text) {
  const pieces = text.replace(/\[(`[^`]+`)\](\([^)]*\))?/g, "$1").split(/(`[^`]+`)/);
  return pieces.map((piece) => (/^`.+`$/.test(piece) ? el("code", {}, piece.slice(1, -1)) : piece));
}

function keyName(key) {
  return key.name === "" ? "Table" : key.name;
}

/** Where there is no room for columns, each cell says what it is. */
function chart(head, rows) {
  const isEmpty = (cell) => [cell].flat().every((piece) => piece === "");
  const row = (cells) => el("tr", {}, cells.map((cell, at) =>
    el("td", { "data-head": head[at], class: isEmpty(cell) && "none" }, el("span", {}, cell))));
  return el("div", { class: "card scroll" }, el("table", {},
    el("thead", {}, el("tr", {}, head.map((name) => el("th", {}, name)))),
    el("tbody", {}, rows.map(row))));
}

/** The places that links lead to, as one field for a narrow screen. */
function jump(label, groups) {
  const select = el("select", {}, groups.map(([name, links]) => {
    const options = links.map((link) =>
      el("option", { value: link.hash, selected: link.hasAttribute("aria-current") }, link.dataset.name));
    return name === "" ? options : el("optgroup", { label: name }, options);
  }).flat());
  select.addEventListener("change", () => { location.hash = select.value; });
  return el("label", {}, el("span", {}, label), select);
}

function showTop({ table }) {
  const links = data.tables.map((other) => {
    const attributes = { href: link(other, "key", ""), "aria-current": other === table && "true", "data-name": other.title };
    return el("a", attributes, other.title);
  });
  const tables = links.length < 2 ? [] : [el("div", { class: "tables" }, links, jump("Table", [["", links]]))];
  const facts = table.facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)));
  document.getElementById("top").replaceChildren(
    ...tables,
    el("h1", {}, table.title),
    ...(table.doc === "" ? [] : [el("p", {}, prose(table.doc))]),
    el("dl", { class: "facts" }, el("div", {}, el("dt", {}, "name"), el("dd", {}, table.name)), facts),
  );
}

function showNav(now) {
  const { table } = now;
  const entry = (kind, name, text, count, dot) => {
    const current = now.kind === kind && now.name === name;
    const attributes = { href: link(table, kind, name), "aria-current": current && "page", "data-name": text };
    return el("a", attributes, dot, el("span", {}, text), el("span", { class: "count" }, String(count)));
  };
  const groups = [
    ["Partitions by", table.keys.map((key) => entry("key", key.name, keyName(key), key.partitions.length))],
    ["Entities", table.entities.map((entity) => {
      const count = table.items.filter((item) => item.entity === entity.name).length;
      return entry("entity", entity.name, entity.name, count, el("span", { class: "dot", hue: hue(table, entity.name) }));
    })],
    ["Requests", [entry("requests", "", "Access patterns", table.patterns.length)]],
  ];
  document.getElementById("nav").replaceChildren(
    ...groups.flatMap(([name, links]) => [el("h2", {}, name), ...links]),
    jump("Show", groups),
  );
}

/** An item; open it to see all of it. */
function row(table, at, shown, faded) {
  const { entity, item } = table.items[at];
  return el("details", { class: faded ? "item other" : "item", hue: hue(table, entity) },
    el("summary", {}, el("span", { class: "mono" }, shown), chip(table, entity)),
    el("pre", {}, item));
}

/** The items of a key by partition; only the partitions with items of one entity, if it is given. */
function partitions(table, key, only) {
  const isOnly = ({ item }) => only === undefined || table.items[item].entity === only;
  const shared = key.partitions.filter((partition) => partition.items.some(isOnly));
  if (shared.length === 0) return [el("div", { class: "card empty" }, "No item is in it.")];
  if (key.name === "" && key.sk.length === 0) {
    const items = shared.flatMap((partition) => partition.items.map(({ item }) => row(table, item, partition.pk)));
    return [el("section", { class: "card partition" }, items)];
  }
  return shared.map((partition) => {
    const count = partition.items.length;
    return el("section", { class: "card partition" },
      el("header", {},
        el("span", { class: "soft" }, key.pk.join(" · ")),
        el("span", { class: "mono" }, partition.pk),
        el("span", {}, count === 1 ? "1 item" : `${count} items`)),
      partition.items.map((entry) => row(table, entry.item, entry.sk, !isOnly(entry))));
  });
}

function showKey(table, key) {
  const head = ["Entity", ...key.pk, ...key.sk];
  const members = key.members.map((member) =>
    [chip(table, member.entity, "a"), ...[...member.pk, ...member.sk].map(template)]);
  const title = key.name === "" ? "The table by its own key" : `Index ${key.name}`;
  const about = key.name === "" ? "" : `A ${key.scope} with ${key.holds}. `;
  let order = `Items are in the order of ${key.sk.join(", then ")}.`;
  if (key.sk.length === 0) order = key.name === "" ? "Each item is a partition of its own." : "Without a sort key, items are shown by their key in the table.";
  return [
    el("h2", {}, title),
    el("p", { class: "soft" }, about + order),
    chart(head, members),
    el("h3", {}, "Items by partition"),
    ...partitions(table, key),
  ];
}

/** A request in one line; open it to see how it is written. */
function request(pattern) {
  return el("details", { class: "request" },
    el("summary", {},
      el("code", { class: "call" }, pattern.call.split(/(?=\.\w)/).flatMap((piece) => [el("wbr"), piece])),
      el("div", { class: "asks" }, el("span", {}, asks(pattern)), template(pattern.means))),
    el("pre", {}, pattern.request));
}

function asks(pattern) {
  return pattern.index === undefined ? pattern.operation : `${pattern.operation} ${pattern.index}`;
}

function showEntity(table, entity) {
  const keys = table.keys.flatMap((key) => key.members
    .filter((member) => member.entity === entity.name)
    .map((member) => ({ key, member })));
  const fields = entity.fields.map((field) => [
    el("code", {}, field.name),
    field.attribute === undefined ? "in the key" : el("code", {}, field.attribute),
    el("code", {}, field.type),
    prose(field.doc),
  ]);
  const templates = keys.map(({ key, member }) =>
    [el("a", { href: link(table, "key", key.name) }, keyName(key)), member.pk.map(template), member.sk.map(template)]);
  return [
    el("h2", {}, entity.name, " ", el("span", { class: "dot", hue: hue(table, entity.name), style: "display: inline-block" })),
    el("p", { class: "soft" }, prose(entity.doc)),
    chart(["Key", "Partition", "Sort"], templates),
    el("h3", {}, "Access patterns"),
    el("div", { class: "card" }, table.patterns.filter((pattern) => pattern.entity === entity.name).map(request)),
    ...keys.flatMap(({ key }) => [
      el("h3", {}, key.name === "" ? "Its items in the table" : `Its items in ${key.name}`),
      ...partitions(table, key, entity.name),
    ]),
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
      const text = [pattern.call, asks(pattern), pattern.means].join(" ").toLowerCase();
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
  document.getElementById("nav").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}

addEventListener("hashchange", () => { show(); scrollTo(0, 0); });
show();
