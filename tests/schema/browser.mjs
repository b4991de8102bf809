// Clicks through the page and draws the diagram, in light and dark, wide and narrow; and sees that nothing is fetched.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import puppeteer from "puppeteer-core";

const directory = resolve(process.argv[2]);
const shots = resolve("../../target/schema-tools/screenshots");
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
  page.on("console", (message) => problems.push(message.text()));
  page.on("request", (request) => { if (/^(https?|wss?):/.test(request.url())) problems.push(request.url()); });
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(url);
  return { page, problems };
}

const texts = (page, selector) => page.$$eval(selector, (elements) => elements.map((element) => element.textContent));
/** Follows a link as a reader would, and waits for what it leads to. */
async function follow(page, selector, text) {
  const links = await page.$$(selector);
  for (const link of links) {
    if (await link.evaluate((element, text) => element.textContent.startsWith(text), text)) {
      await link.click();
      await page.waitForFunction((text) => document.querySelector("#nav [aria-current]")?.textContent.startsWith(text), { timeout: 5000 }, text);
      return;
    }
  }
  assert.fail(`no link ${text}`);
}

async function clickThrough(width, scheme) {
  const { page, problems } = await open(`file://${directory}/page.html`, { width, scheme });
  const data = JSON.parse(await page.$eval("#data", (element) => element.textContent));
  for (const table of data.tables) {
    if (data.tables.length > 1) {
      await page.$$eval("#top .tables a", (links, name) => links.find((link) => link.textContent === name).click(), table.type);
    }
    await page.waitForFunction((name) => document.querySelector("h1").textContent === name, { timeout: 5000 }, table.type);
    for (const key of table.keys) {
      await follow(page, "#nav a", key.name === "" ? "Table" : key.name);
      const shown = await texts(page, ".partition > header .mono");
      assert.deepEqual(shown, key.partitions.map((partition) => partition.pk));
      const items = key.partitions.flatMap((partition) => partition.items.map((item) => item.sk || "no sort key"));
      assert.deepEqual(await texts(page, ".item summary > :first-child"), items);
    }
    for (const entity of table.entities) {
      await follow(page, "#nav a", entity.name);
      const calls = table.patterns.filter((pattern) => pattern.entity === entity.name).map((pattern) => pattern.call);
      assert.deepEqual(await texts(page, ".request .call"), calls);
      const item = await page.$(".item:not(.other)");
      await item.evaluate((element) => element.querySelector("summary").click());
      assert.ok(await item.evaluate((element) => element.open));
      const attributes = JSON.parse(await item.$eval("pre", (element) => element.textContent));
      assert.ok(data.tables.some((table) => table.items.some((one) => JSON.stringify(one.item) === JSON.stringify(attributes))));
    }
    await follow(page, "#nav a", "Access patterns");
    assert.equal((await texts(page, ".request")).length, table.patterns.length);
    await page.type("input[type=search]", "GetItem");
    assert.equal((await texts(page, ".request")).length, table.entities.length);
    await page.type("input[type=search]", " nothing like it");
    assert.deepEqual(await texts(page, "main .empty"), ["Nothing is asked like that."]);
    await follow(page, "#nav a", "Table");
  }
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(overflow, 0, "nothing sticks out at the side");
  assert.deepEqual(problems, []);
  const name = `${directory.split("/").pop()}-${scheme}-${width}`;
  await page.screenshot({ path: `${shots}/${name}.png` });
  await page.close();
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
  for (const [, entity] of source.matchAll(/^ {4}(\w+) \{$/gm)) assert.ok(svg.includes(entity), `${entity} is drawn`);
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
