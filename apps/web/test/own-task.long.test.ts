import { resolve } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, type Watched } from "./support/browser.ts";
import { smallGraph } from "./support/small-graph.ts";
import { type RunningStack, startStackOnServer } from "./support/stack.ts";

const patience = { timeout: 90_000 };
const components = resolve(import.meta.dirname, "../../../test/fixtures/components");
let stack: RunningStack;
let browser: Browser;
let watched: Watched;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStackOnServer({ HOPWISE_COMPONENTS: components }), launchBrowser()]);
  watched = await openPage(browser, stack.url);
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

test("the page that was asked for is shown after the sign-in, as it was asked for", async () => {
  const { page } = watched;
  await page.goto(`${stack.url}/jobs?state=failed&search=sage`);
  const field = page.getByLabel("Sign-in link");
  await field.waitFor(patience);
  await field.focus();
  await page.keyboard.type(stack.signInLink);
  await page.keyboard.press("Enter");
  await page.getByText("No job fits the filter").waitFor(patience);
  expect(page.url()).toBe(`${stack.url}/jobs?state=failed&search=sage`);
  expect(await page.getByLabel("Name or id").inputValue()).toBe("sage");
  await page.getByRole("link", { name: "Datasets", exact: true }).click();
});

test("a task of the operator's own, in one file, is chosen in the form and shown by its own metrics", async () => {
  const { page } = watched;
  const graph = smallGraph();
  await page.getByRole("link", { name: "New dataset" }).click(patience);
  await page.getByLabel("Dataset name").fill("ordered");
  await page.locator('input[type="file"]').setInputFiles([
    { name: "edges.csv", mimeType: "text/csv", buffer: Buffer.from(graph.edges) },
    { name: "nodes.csv", mimeType: "text/csv", buffer: Buffer.from(graph.nodes) },
  ]);
  await page.getByRole("button", { name: "Upload and continue" }).click();
  await page.getByRole("button", { name: "Build the graph" }).click(patience);
  await page.getByRole("link", { name: "Train on this" }).click(patience);

  await page.getByRole("combobox", { name: "What to predict" }).click(patience);
  await page.getByRole("option", { name: "Order: label" }).click(patience);
  await page.getByLabel("Epochs", { exact: true }).fill("6");
  expect(await page.getByLabel("Request text").textContent()).toContain('"type": "ordered-classes"');
  await page.getByRole("button", { name: "Start training" }).click(patience);

  await page.getByRole("link", { name: "Metrics", exact: true }).click(patience);
  const learning = page.getByRole("region", { name: "Metrics", exact: true });
  for (const title of ["Squared distance", "Classes met", "Mean distance"]) {
    await learning.getByText(title, { exact: true }).waitFor(patience);
  }
  await page.getByRole("link", { name: "Overview", exact: true }).click(patience);
  const result = page.getByRole("region", { name: "Result" });
  await result.getByText("Classes met, test").waitFor(patience);
  expect(await result.innerText()).toMatch(/Classes met, test\s+\d+\.\d %/);
  await page.getByRole("link", { name: "Jobs", exact: true }).click();
  await page.getByRole("columnheader", { name: "Test classes met" }).waitFor(patience);
});
