// Clicks through the page and draws the diagram, in light and dark, wide and narrow; and sees that nothing is fetched.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import puppeteer from "puppeteer-core";

const directory = resolve(process.argv[2]);
const shots = resolve(process.argv[3]);
mkdirSync(shots, { recursive: true });
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM,
  headless: true,
  args: [
    "--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-default-apps", "--disable-domain-reliability", "--disable-features=OptimizationHints,MediaRouter",
  ],
});

/** A page that fails on errors and on anything that is asked of a server. */
async function open(url, { width, scheme }) {
  const page = await browser.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("dialog", (dialog) => { problems.push(dialog.message()); dialog.dismiss(); });
  page.on("console", (message) => problems.push(message.text()));
  page.on("request", (request) => { if (/^(https?|wss?):/.test(request.url())) problems.push(request.url()); });
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(url);
  return { page, problems };
}

const texts = (page, selector) => page.$$eval(selector, (elements) => elements.map((element) => element.textContent));
const isNarrow = (page) => page.viewport().width < 768;

/** Goes to a place as a reader would, by its link or on a narrow screen by its field, and waits for it. */
async function go(page, where, name) {
  const link = await page.evaluateHandle((where, name) =>
    [...document.querySelectorAll(`${where} a`)].find((link) => link.dataset.name === name), where, name);
  assert.ok(await link.evaluate((link) => link !== undefined), `no link ${name}`);
  if (isNarrow(page)) await page.select(`${where} select`, await link.evaluate((link) => link.hash));
  else await link.click();
  await page.waitForFunction((where, name) =>
    document.querySelector(`${where} a[aria-current]`)?.dataset.name === name, { timeout: 5000 }, where, name);
  await sees(page);
}

/** Nothing sticks out at the side, and no text has become an element. */
async function sees(page) {
  const found = await page.evaluate(() => ({
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    elements: document.querySelectorAll("#top script, main script, main img, main b, main i").length,
    shown: [...document.querySelectorAll("main h2")].every((title) => title.checkVisibility()),
  }));
  assert.deepEqual(found, { overflow: 0, elements: 0, shown: true }, page.url());
}

/** A key shows who is in it, and its items by partition, in order. */
async function seesKey(page, table, key) {
  const members = key.members.map((member) => [member.entity, ...member.pk, ...member.sk]);
  assert.deepEqual(await texts(page, "main tbody td"), members.flat());
  const alone = key.name === "" && key.sk.length === 0;
  assert.deepEqual(await texts(page, ".partition > header .mono"), alone ? [] : key.partitions.map((partition) => partition.pk));
  const items = key.partitions.flatMap((partition) => partition.items.map((item) => (alone ? partition.pk : item.sk)));
  assert.deepEqual(await texts(page, ".item summary > .mono"), items);
  const entities = key.partitions.flatMap((partition) => partition.items.map((item) => table.items[item.item].entity));
  assert.deepEqual(await texts(page, ".item summary > .chip"), entities);
}

/** An entity shows its requests, and its items among those that share a partition with them. */
async function seesEntity(page, table, entity) {
  const patterns = table.patterns.filter((pattern) => pattern.entity === entity.name);
  assert.deepEqual(await texts(page, ".request .call"), patterns.map((pattern) => pattern.call));
  assert.deepEqual([...new Set(await texts(page, ".item:not(.other) .chip"))], [entity.name]);
  assert.ok(!(await texts(page, ".item.other .chip")).includes(entity.name));
  for (const selector of [".item:not(.other)", ".request"]) {
    const details = await page.$(selector);
    assert.equal(await details.$eval("pre", (pre) => pre.checkVisibility()), false);
    // Not below the bar that stays at the top of a narrow screen.
    await details.evaluate((details) => details.scrollIntoView({ block: "center" }));
    await (await details.$("summary")).click();
    await page.waitForFunction((details) => details.querySelector("pre").checkVisibility(), { timeout: 5000 }, details);
    const text = await details.$eval("pre", (pre) => pre.textContent);
    if (selector === ".request") assert.equal(JSON.parse(text).TableName, table.name);
    else assert.ok(table.items.some((one) => one.entity === entity.name && one.item === text));
  }
}

async function seesRequests(page, table) {
  assert.equal((await texts(page, ".request")).length, table.patterns.length);
  await page.type("input[type=search]", "GetItem");
  assert.equal((await texts(page, ".request")).length, table.entities.length);
  await page.type("input[type=search]", " nothing like it");
  assert.deepEqual(await texts(page, "main .empty"), ["Nothing is asked like that."]);
}

/** From a key to the entity of a chip, and back by the link to the key. */
async function seesLinks(page, table) {
  await page.click("main td .chip");
  await page.waitForFunction((name) => document.querySelector("main h2").textContent.startsWith(name), { timeout: 5000 }, table.keys[0].members[0].entity);
  await page.reload();
  assert.ok((await texts(page, "main h2"))[0].startsWith(table.keys[0].members[0].entity), "a place has an address");
  await page.click("main td a");
  await page.waitForFunction(() => document.querySelector("main h2").textContent === "The table by its own key", { timeout: 5000 });
}

async function clickThrough(width, scheme) {
  const { page, problems } = await open(`file://${directory}/page.html`, { width, scheme });
  const data = JSON.parse(await page.$eval("#data", (element) => element.textContent));
  for (const table of data.tables) {
    if (data.tables.length > 1) await go(page, "#top", table.title);
    assert.deepEqual(await texts(page, "h1"), [table.title]);
    for (const key of table.keys) {
      await go(page, "#nav", key.name === "" ? "Table" : key.name);
      await seesKey(page, table, key);
    }
    for (const entity of table.entities) {
      await go(page, "#nav", entity.name);
      await seesEntity(page, table, entity);
    }
    await go(page, "#nav", "Access patterns");
    await seesRequests(page, table);
    await go(page, "#nav", "Table");
    await seesLinks(page, table);
  }
  for (const hash of ["#/%", "#/None/entity/None", "#/"]) {
    await page.goto(`file://${directory}/page.html${hash}`);
    assert.deepEqual(await texts(page, "main h2"), ["The table by its own key"], `${hash} leads to the start`);
  }
  assert.deepEqual(problems, []);
  await shoot(page, data, `${directory.split("/").pop()}-${scheme}-${width}`);
  await page.close();
}

/** For people to look at: a key, and an entity with an item and a request open. */
async function shoot(page, data, name) {
  const [table] = data.tables;
  const places = { key: ["key", ""], entity: ["entity", table.entities.at(-1).name] };
  for (const [kind, place] of Object.entries(places)) {
    await page.goto(`file://${directory}/page.html#/${[table.title, ...place].map(encodeURIComponent).join("/")}`);
    await page.$$eval(".item:not(.other), .request", (all) => { for (const one of [all[0], all.at(-1)]) one.open = true; });
    await page.screenshot({ path: `${shots}/${name}-${kind}.png`, fullPage: true });
  }
}

async function drawDiagram() {
  const { page, problems } = await open("about:blank", { width: 1200, scheme: "light" });
  const mermaid = createRequire(import.meta.url).resolve("mermaid/dist/mermaid.min.js");
  await page.addScriptTag({ content: readFileSync(mermaid, "utf8") });
  const source = readFileSync(`${directory}/diagram.mmd`, "utf8");
  const svg = await page.evaluate(async (source) => {
    globalThis.mermaid.initialize({ startOnLoad: false });
    await globalThis.mermaid.parse(source);
    const { svg } = await globalThis.mermaid.render("diagram", source);
    document.body.innerHTML = svg;
    return document.body.textContent;
  }, source);
  const names = [...source.matchAll(/^ {4}"(.+)" \{$/gm)].map(([, name]) => name);
  assert.ok(names.length > 0);
  for (const name of names) assert.ok(svg.includes(name), `${name} is drawn`);
  assert.deepEqual(problems, []);
  await page.screenshot({ path: `${shots}/${directory.split("/").pop()}-diagram.png`, fullPage: true });
  await page.close();
}

try {
  for (const width of [1200, 390]) for (const scheme of ["light", "dark"]) await clickThrough(width, scheme);
  await drawDiagram();
  console.log(`${directory.split("/").pop()}: clicked through, drawn`);
} finally {
  await browser.close();
}
