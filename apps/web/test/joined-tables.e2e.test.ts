import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectWidth, launchBrowser, openPage, takeShot, type Watched } from "./support/browser.ts";
import { type Keyboard, keyboardOf } from "./support/keyboard.ts";
import { patience } from "./support/patience.ts";
import { type RunningStack, startStackOnServer } from "./support/stack.ts";

/** Features, labels and the split of the nodes in files of their own: everything by real key presses. */

const ids = Array.from({ length: 30 }, (_, i) => `u${i}`);
const movieIds = Array.from({ length: 12 }, (_, i) => `m${i}`);
const lines = (...rows: readonly string[]) => `${rows.join("\n")}\n`;
const csv = (name: string, text: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
const files = [
  csv("follows.csv", lines("src,dst", ...ids.map((id, i) => `${id},${ids[(i * 7 + 1) % 30]}`))),
  csv("users.csv", lines("user,score", ...ids.map((id, i) => `${id},${i / 4}`))),
  csv("user_labels.csv", lines("user,label", ...ids.toReversed().map((id, i) => `${id},${i % 2 ? "cook" : "nurse"}`))),
  csv("train.csv", lines("user", ...ids.slice(0, 12))),
  csv("test.csv", lines("user", ...ids.slice(12, 20))),
];

const ofTypes = [
  files[1]!,
  files[2]!,
  csv("movies.csv", lines("movie,year", ...movieIds.map((id, i) => `${id},${1990 + i}`))),
  csv("ratings.csv", lines("user,movie", ...ids.map((id, i) => `${id},${movieIds[(i * 5) % 12]}`))),
];

let stack: RunningStack;
let browser: Browser;
let watched: Watched;
let page: Page;
let keys: Keyboard;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStackOnServer(), launchBrowser()]);
  watched = await openPage(browser, stack.url);
  page = watched.page;
  keys = keyboardOf(page);
  await page.goto(stack.signInLink);
  await page.getByText("No datasets yet").waitFor(patience);
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const cardOf = (file: string) => page.getByRole("region", { name: `File ${file}` });
const useOf = (file: string) => cardOf(file).getByRole("radio", { checked: true });
const roleOf = (column: string) => page.getByLabel(`Role of ${column} in user_labels.csv`);

async function upload(name: string, chosen: typeof files): Promise<void> {
  await page.goto(`${stack.url}/datasets/new`);
  await keys.type(page.getByLabel("Dataset name"), name);
  const dropArea = page.getByRole("button", { name: "Drop files here" }).or(page.getByLabel("Drop files here")).first();
  await keys.choose(dropArea, chosen);
  await keys.press(button("Upload and continue"));
  await roleOf("label").waitFor(patience);
}

/** A radio button is drawn by its label, and has no size that one could wait for. */
async function tabToHidden(target: Locator): Promise<void> {
  for (let presses = 0; presses < 150; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${target.toString()}`);
}

test("tables of the same nodes are joined as proposed, and what the nodes get of them can be chosen", async () => {
  await upload("users", files);
  expect(await useOf("user_labels.csv").getAttribute("value")).toBe("joined");
  expect(await useOf("train.csv").getAttribute("value")).toBe("trainIds");
  expect(await useOf("test.csv").getAttribute("value")).toBe("testIds");
  await page.getByText('user_labels.csv is joined to the nodes of users.csv by "user": "label".').waitFor(patience);
  await cardOf("user_labels.csv").getByText('More columns of the nodes, by "user".').waitFor(patience);

  await keys.tabTo(roleOf("label"));
  await page.keyboard.type("not");
  await page.getByText("user_labels.csv: choose what its columns are for, or leave it out.").waitFor(patience);
  // Letters count together until the focus moves on.
  await page.keyboard.press("Shift+Tab");
  await keys.tabTo(roleOf("label"));
  await page.keyboard.type("label");
  expect(await roleOf("label").inputValue()).toBe("label");

  await tabToHidden(useOf("test.csv"));
  await page.keyboard.press("ArrowLeft");
  expect(await useOf("test.csv").getAttribute("value")).toBe("valIds");
  await page.keyboard.press("ArrowRight");
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectWidth(page, width, "joined tables");
    await takeShot(page, `50-joined-tables-${width}`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
});

test("the graph has what all of them say", async () => {
  await keys.press(button("Build the graph"));
  await page.getByRole("link", { name: "Train on this" }).waitFor(patience);
  const columns = page.getByRole("table", { name: "Columns" });
  const label = await columns.getByRole("row").filter({ hasText: "label" }).first().innerText();
  expect(label.split(/\s+/).slice(0, 6)).toEqual(["label", "nodes", "label", "text", "0", "2"]);
  expect(watched.complaints).toEqual([]);
});

test("a file that is joined to one type is shown as that, left out and joined again", async () => {
  await upload("ratings", ofTypes);
  expect(await useOf("users.csv").getAttribute("value")).toBe("type");
  expect(await useOf("user_labels.csv").getAttribute("value")).toBe("joined");
  const said = cardOf("user_labels.csv").getByText('More columns of users, by "user".');
  await said.waitFor(patience);
  const owner = page.getByLabel("Type of user_labels.csv");
  expect(await owner.inputValue()).toBe("users");
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectWidth(page, width, "tables joined to a type");
    await takeShot(page, `51-joined-to-a-type-${width}`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });

  await tabToHidden(useOf("user_labels.csv"));
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  expect(await useOf("user_labels.csv").getAttribute("value")).toBe("type");
  await page.keyboard.press("ArrowLeft");
  expect(await useOf("user_labels.csv").getAttribute("value")).toBe("ignore");
  await said.waitFor({ ...patience, state: "detached" });
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press("ArrowRight");
  await said.waitFor(patience);

  await keys.tabTo(owner);
  await page.keyboard.type("mov");
  await cardOf("user_labels.csv").getByText('More columns of movies, by "user".').waitFor(patience);
  await page.keyboard.press("Shift+Tab");
  await keys.tabTo(owner);
  await page.keyboard.type("use");
  await said.waitFor(patience);
  expect(await roleOf("label").inputValue()).toBe("label");
});

test("the graph of types has what the joined file says of its type", async () => {
  await keys.press(button("Build the graph"));
  await page.getByRole("link", { name: "Train on this" }).waitFor(patience);
  const columns = page.getByRole("table", { name: "Columns" });
  const label = await columns.getByRole("row").filter({ hasText: "label" }).first().innerText();
  expect(label).toContain("users");
  expect(watched.complaints).toEqual([]);
});
