import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectWidth, launchBrowser, openPage, takeShot, type Watched } from "./support/browser.ts";
import { smallGraph } from "./support/small-graph.ts";
import { type RunningStack, startStackOnServer } from "./support/stack.ts";

/** The form of a job starts from what suits the graph and never replaces unasked what somebody typed. */

const patience = { timeout: 90_000 };
const graph = smallGraph();
/** Nodes of the small graph without their three columns of features */
const bareNodes = graph.nodes
  .split("\n")
  .map((line) => line.replace(/(,[^,]*){3}$/, ""))
  .join("\n");
let stack: RunningStack;
let browser: Browser;
let watched: Watched;
let page: Page;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStackOnServer(), launchBrowser()]);
  watched = await openPage(browser, stack.url);
  page = watched.page;
  await page.goto(stack.signInLink);
  await page.getByText("No datasets yet").waitFor(patience);
  await makeDataset("with features", graph.nodes);
  await makeDataset("without features", bareNodes);
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

async function makeDataset(name: string, nodes: string): Promise<void> {
  await page.goto(`${stack.url}/datasets/new`);
  await page.getByLabel("Dataset name").fill(name);
  await page.locator('input[type="file"]').setInputFiles([
    { name: "edges.csv", mimeType: "text/csv", buffer: Buffer.from(graph.edges) },
    { name: "nodes.csv", mimeType: "text/csv", buffer: Buffer.from(nodes) },
  ]);
  await page.getByRole("button", { name: "Upload and continue" }).click();
  await page.getByRole("button", { name: "Build the graph" }).click(patience);
  await page.getByRole("link", { name: "Train on this" }).waitFor(patience);
}

const reason = () => page.getByRole("note", { name: "Reason for the proposal" });
const changes = () => page.getByRole("list", { name: "Changes to the preset" });
const epochs = () => page.getByLabel("Epochs", { exact: true });
const fieldNamed = (name: string) =>
  page
    .getByRole("combobox", { name, exact: true })
    .or(page.getByRole("textbox", { name, exact: true }))
    .first();
const preset = () => fieldNamed("Preset");

async function pressOn(target: Locator): Promise<void> {
  await target.focus();
  await page.keyboard.press("Enter");
}

async function type(target: Locator, text: string): Promise<void> {
  await target.focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.type(text);
}

/** Types a choice into a field with a list, and takes the first that is left once there is one. */
async function choose(field: Locator, text: string): Promise<void> {
  await type(field, text);
  await page.getByRole("option", { name: text }).first().waitFor(patience);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
}

const chooseDataset = (name: string) => choose(fieldNamed("Dataset"), name);

async function isStarted(name: string): Promise<boolean> {
  return (await preset().inputValue()) === name;
}

test("the form starts from the preset that suits the graph, says why, and lists the others", async () => {
  await page.goto(`${stack.url}/datasets`);
  await page.getByRole("link", { name: "with features", exact: true }).click();
  await page.getByRole("link", { name: "Train on this" }).click();
  await reason().waitFor(patience);
  expect(await reason().innerText()).toMatch(
    /^Proposed is “Few labels, neighbours alike, GCN”: 240 nodes of mean degree .* 3 classes; .* Few labels among/,
  );
  expect(await isStarted("Few labels, neighbours alike, GCN")).toBe(true);
  expect(await epochs().inputValue()).toBe("100");
  await preset().focus();
  await page.keyboard.press("ArrowDown");
  await page.getByRole("option", { name: "Few labels, neighbours alike, GAT" }).waitFor(patience);
  await page.getByText("Presets for other graphs").waitFor({ ...patience, state: "attached" });
  await page.getByRole("option", { name: "Large graph, GraphSAGE" }).waitFor({ ...patience, state: "attached" });
  await takeShot(page, "30-presets");
  await page.keyboard.press("Escape");
});

test("Enter where a list has nothing to choose starts no training", async () => {
  await type(preset(), "no such preset");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Start training" }).focus();
  await expect.poll(() => isStarted("Few labels, neighbours alike, GCN")).toBe(true);
  const text = page.getByLabel("Request text");
  expect(await text.textContent()).toContain('"dataset"');
  await page.reload();
  await reason().waitFor(patience);
  expect(new URL(page.url()).pathname).toBe("/jobs/new");
});

test("another preset replaces what nobody changed without a question", async () => {
  await choose(preset(), "alike, GIN");
  await expect.poll(() => epochs().inputValue()).toBe("60");
  expect(await isStarted("Few labels, neighbours alike, GIN")).toBe(true);
  expect(await changes().count()).toBe(0);
});

test("what was typed is replaced by a preset only after a question that names it", async () => {
  await type(epochs(), "37");
  await changes().waitFor(patience);
  expect(await changes().innerText()).toContain("Training › Epochs: 60 37");

  await choose(preset(), "alike, GCN");
  await pressOn(page.getByRole("button", { name: "Keep my changes" }));
  await page.getByRole("dialog").waitFor({ ...patience, state: "hidden" });
  expect(await epochs().inputValue()).toBe("37");
  expect(await isStarted("Few labels, neighbours alike, GIN")).toBe(true);

  await choose(preset(), "alike, GCN");
  await page
    .getByRole("dialog")
    .getByText(/sets Training anew/)
    .waitFor(patience);
  await takeShot(page, "31-preset-question");
  await pressOn(page.getByRole("button", { name: "Replace", exact: true }));
  await expect.poll(() => epochs().inputValue()).toBe("100");
  expect(await changes().count()).toBe(0);
});

test("each change is marked, found by its words, and taken back alone, by keyboard", async () => {
  await pressOn(page.locator("summary").filter({ hasText: "Advanced" }));
  await type(page.getByLabel("Find a setting"), "weight decay");
  const decay = page.getByLabel("Weight decay", { exact: true });
  await decay.waitFor(patience);
  expect(await page.getByLabel("Batch size").isVisible(), "what was not searched for is not shown").toBe(false);
  const before = await decay.inputValue();
  await type(decay, "0.125");
  await type(epochs(), "38");
  expect(await changes().getByRole("listitem").count()).toBe(2);
  await page.getByText(`Changed. Set back to ${before}`).waitFor(patience);
  await takeShot(page, "33-changes");
  await pressOn(page.getByRole("button", { name: `Reset Training › Optimizer › Weight decay to ${before}` }));
  await expect.poll(() => decay.inputValue()).toBe(before);
  expect(await epochs().inputValue(), "what else was changed stays").toBe("38");
  await pressOn(page.getByRole("button", { name: "Set Training › Epochs back to 100" }));
  await expect.poll(() => epochs().inputValue()).toBe("100");
  expect(await changes().count()).toBe(0);

  await type(page.getByLabel("Find a setting"), "duration");
  const longest = page.getByLabel("Max duration", { exact: true });
  expect(await longest.inputValue()).toBe("2 h");
  await type(longest, "soon");
  await page.getByText('"soon" is no duration').waitFor(patience);
  await type(longest, "1 d 30 min");
  expect(await page.getByLabel("Request text").textContent()).toContain('"maxDuration": "PT24H30M"');
  await pressOn(page.getByRole("button", { name: "Reset Resources › Max duration to 2 h" }));
  await type(page.getByLabel("Find a setting"), " ");
  await pressOn(page.locator("summary").filter({ hasText: "Advanced" }));
  // The refused estimate of what is no duration is no complaint of the page.
  watched.complaints.length = 0;
});

test("ranks and name stay whatever the preset", async () => {
  await type(page.getByLabel("Job name"), "mine");
  await type(page.getByLabel("Ranks", { exact: true }), "2");
  await choose(preset(), "alike, APPNP");
  await expect.poll(() => isStarted("Few labels, neighbours alike, APPNP")).toBe(true);
  expect(await page.getByLabel("Ranks", { exact: true }).inputValue()).toBe("2");
  expect(await page.getByLabel("Job name").inputValue()).toBe("mine");
});

test("a start that is refused leads to the field, with the reason, by keyboard alone", async () => {
  const ranks = page.getByLabel("Ranks", { exact: true });
  await type(ranks, "999");
  await pressOn(page.getByRole("button", { name: "Start training" }));
  await page.getByRole("alert", { name: "Why it was not started" }).waitFor(patience);
  await expect.poll(() => ranks.evaluate((field) => field === document.activeElement), patience).toBe(true);
  expect(await ranks.getAttribute("aria-invalid")).toBe("true");
  await takeShot(page, "32-refused");
  expect(new URL(page.url()).pathname).toBe("/jobs/new");
  await type(ranks, "2");
  // The refusal is in the console as a failed request; nothing else may be.
  expect(watched.complaints.filter((text) => !text.includes("422"))).toEqual([]);
  watched.complaints.length = 0;
});

test("on a phone the start stays in sight wherever one is in the form", async () => {
  const start = page.getByRole("button", { name: "Start training" });
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width: 390, height: 800 });
    await page.evaluate("scrollTo(0, 0)");
    const box = await start.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? Number.POSITIVE_INFINITY), scheme).toBeLessThanOrEqual(800);
    await expectWidth(page, 390);
    expect(await page.evaluate("document.documentElement.scrollHeight"), "the form is short").toBeLessThan(2400);
    await takeShot(page, `34-form-phone-${scheme}`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
  await pressOn(page.getByText("What it is made of"));
  await page.getByRole("region", { name: "Memory of a rank" }).getByText("activations and their").waitFor(patience);
  await takeShot(page, "34-estimate-parts");
});

test("another dataset brings its own preset, unless something was typed", async () => {
  await chooseDataset("without features");
  await expect.poll(() => reason().innerText()).toContain("no features");
  await expect.poll(() => isStarted("Few labels, no features, APPNP")).toBe(true);
  expect(await page.getByLabel("Request text").textContent()).toContain('"spectral"');

  await type(epochs(), "41");
  await changes().waitFor(patience);
  await chooseDataset("with features");
  await expect.poll(() => reason().innerText()).toContain("3 feature columns");
  expect(await epochs().inputValue()).toBe("41");
  await changes().waitFor(patience);
  await expect.poll(() => reason().innerText()).toContain("Proposed is “Few labels, neighbours alike, GCN”");
  expect(await isStarted("Few labels, neighbours alike, GCN")).toBe(false);
  expect(watched.complaints).toEqual([]);
});

test("rows without training are asked for by keys alone on a graph without features, and come with a probe's accuracy", async () => {
  await page.goto(`${stack.url}/datasets`);
  await pressOn(page.getByRole("link", { name: "without features", exact: true }));
  await pressOn(page.getByRole("link", { name: "Train on this" }));
  await reason().waitFor(patience);
  await choose(preset(), "without training");
  await expect.poll(() => isStarted("Embeddings, without training")).toBe(true);
  await expect.poll(() => epochs().inputValue()).toBe("1");
  expect(await changes().count()).toBe(0);
  await chooseDataset("with features");
  await chooseDataset("without features");
  await choose(preset(), "from walks alone");
  await choose(preset(), "without training");
  const request = await page.getByLabel("Request text").textContent();
  expect(request).toContain('"fastRp"');
  expect(request).not.toContain('"structural": {');
  await takeShot(page, "35-without-training");
  await pressOn(page.getByRole("button", { name: "Start training" }));
  await page.getByRole("status", { name: "State of the job" }).getByText("Succeeded").waitFor(patience);
  await page.getByText("Accuracy of a linear probe").first().waitFor(patience);
  await takeShot(page, "36-without-training-job");
  // Between another dataset and its preset an estimate is asked for that is refused.
  expect(watched.complaints.filter((text) => !text.includes("422"))).toEqual([]);
});
