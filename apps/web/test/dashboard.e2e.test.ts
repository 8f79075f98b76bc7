import { readFile } from "node:fs/promises";
import type { Browser, Download, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PrivateRedis } from "../../api/test/scheduler/support/private-redis.ts";
import { isPostgresInstalled, startPostgres, type TestPostgres } from "../../api/test/support/start-postgres.ts";
import { launchBrowser, openPage, takeShot, type Watched } from "./support/browser.ts";
import { smallGraph, trapIds } from "./support/small-graph.ts";
import { type RunningStack, startStack } from "./support/stack.ts";

const patience = { timeout: 90_000 };
const graph = smallGraph();
// Many jobs on PostgreSQL, as PGlite costs them twice the CPU time; the other browser tests use PGlite.
let postgres: TestPostgres | null = null;
// One that other hosts could reach: where none can, no credential is offered (first-steps).
let redis: PrivateRedis;
let stack: RunningStack;
let browser: Browser;
let watched: Watched;
let page: Page;

beforeAll(async () => {
  postgres = isPostgresInstalled ? await startPostgres() : null;
  redis = await PrivateRedis.start();
  const settings = { REDIS_URL: await redis.listen(), ...(postgres && { DATABASE_URL: postgres.url }) };
  [stack, browser] = await Promise.all([startStack(settings), launchBrowser()]);
  watched = await openPage(browser, stack.url);
  page = watched.page;
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  await redis?.stop();
  await postgres?.stop();
});

test("without a session every address leads to the sign-in page, which says why a used link is refused", async () => {
  await page.goto(`${stack.url}/jobs`);
  await page.getByRole("heading", { name: "Sign in to Hopwise" }).waitFor(patience);
  await page.getByLabel("Sign-in link").fill("hws_neverissued");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByText("has been used or has expired").waitFor(patience);
  await takeShot(page, "01-sign-in");
  // The refusals above are in the console as failed requests; from here on nothing may complain.
  watched.complaints.length = 0;
});

test("the one-time link signs in and shows that there is nothing yet", async () => {
  await page.goto(stack.signInLink);
  await page.getByText("No datasets yet").waitFor(patience);
  await takeShot(page, "02-no-datasets");
});

test("files are uploaded, their columns recognised, and the graph is built", async () => {
  await page.getByRole("link", { name: "New dataset" }).click();
  await page.getByLabel("Dataset name").fill("three communities");
  await page.locator('input[type="file"]').setInputFiles([
    { name: "edges.csv", mimeType: "text/csv", buffer: Buffer.from(graph.edges) },
    { name: "nodes.csv", mimeType: "text/csv", buffer: Buffer.from(graph.nodes) },
  ]);
  await takeShot(page, "03-files-chosen");
  await page.getByRole("button", { name: "Upload and continue" }).click();

  const role = (column: string, file: string) => page.getByLabel(`Role of ${column} in ${file}`);
  await role("src", "edges.csv").waitFor(patience);
  await takeShot(page, "04-mapping");
  const chosen = await Promise.all(
    [role("src", "edges.csv"), role("dst", "edges.csv"), role("id", "nodes.csv"), role("label", "nodes.csv")].map(
      (select) => select.inputValue(),
    ),
  );
  expect(chosen).toEqual(["src", "dst", "id", "label"]);
  await page.getByRole("button", { name: "Build the graph" }).click();

  await page.getByRole("link", { name: "Train on this" }).waitFor(patience);
  const facts = await page.getByRole("region", { name: "Graph", exact: true }).innerText();
  expect(facts).toContain(String(graph.ids.length));
  expect(facts).toContain("Text");
  await takeShot(page, "05-dataset");
});

test("the job form shows the estimate and the request, and an error at the field that it means", async () => {
  await page.getByRole("link", { name: "Train on this" }).click();
  await page.getByLabel("Job name").fill("e2e");
  await page.getByLabel("Epochs", { exact: true }).fill("25");
  await page.getByLabel("Ranks", { exact: true }).fill("2");
  await page.getByText("Memory per rank").waitFor(patience);
  expect(await page.getByLabel("Request text").innerText()).toContain('"ranks": 2');

  const width = page.getByLabel("Hidden features");
  const before = await width.inputValue();
  await width.fill("0");
  await page.locator('[aria-invalid="true"]').waitFor(patience);
  expect(await width.getAttribute("aria-invalid")).toBe("true");
  await takeShot(page, "06-job-form-error");
  await width.fill(before);
  await page.getByText("Memory per rank").waitFor(patience);
  await takeShot(page, "07-job-form");
  // The refused estimates are no complaint of the page.
  watched.complaints.length = 0;
});

test("numbers are typed key by key, in any notation, and their range is said meanwhile", async () => {
  const request = () => page.getByLabel("Request text").innerText();
  const type = async (label: string, keys: string) => {
    const field = page.getByLabel(label, { exact: true });
    await field.click();
    await page.keyboard.press("Control+A");
    await page.keyboard.type(keys);
    return field;
  };
  const rate = await type("Learning rate", "0.05");
  expect(await rate.inputValue()).toBe("0.05");
  expect(await request()).toContain('"lr": 0.05');
  await type("Weight decay", "1e-4");
  expect(await request()).toContain('"weightDecay": 0.0001');
  const epochs = await type("Epochs", "-5");
  await page.getByText("Found -5, expected 1 to 100000.").waitFor(patience);
  expect(await epochs.getAttribute("aria-invalid")).toBe("true");
  await type("Epochs", "150");
  expect(await request()).toContain('"epochs": 150');
  await page.keyboard.press("Tab");
  expect(await epochs.inputValue()).toBe("150");
  await type("Epochs", "25");
  // The refused estimates are no complaint of the page.
  watched.complaints.length = 0;
});

test("a job is watched live to its end, with curves, ranks, partition and result", async () => {
  await page.getByRole("button", { name: "Start training" }).click();
  await page.getByRole("list", { name: "Stages" }).waitFor(patience);
  await page.getByText("Live", { exact: true }).waitFor(patience);
  await takeShot(page, "08-job-running");
  await page.getByRole("link", { name: "Embeddings and downloads" }).waitFor(patience);
  await page.getByRole("status", { name: "State of the job" }).getByText("Succeeded").waitFor(patience);

  await page.getByRole("region", { name: "Result" }).getByText("test/accuracy").waitFor(patience);
  expect(await page.getByRole("table", { name: "Ranks" }).locator("tbody tr").count()).toBe(2);
  expect(await page.getByRole("table", { name: "Parts" }).locator("tbody tr").count()).toBe(2);
  expect(await page.getByRole("region", { name: "Learning" }).locator("canvas").count()).toBeGreaterThanOrEqual(2);
  await takeShot(page, "09-job-done");
});

test("a page that saw the job's last event without its end looks again", async () => {
  let isFirst = true;
  await page.route("**/graphql", async (route) => {
    if (!isFirst || !route.request().postData()?.includes("query Job(")) return route.fallback();
    isFirst = false;
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace('"SUCCEEDED"', '"RUNNING"') });
  });
  await page.reload();
  await jobState("Succeeded").waitFor(patience);
  expect(isFirst).toBe(false);
  await page.unroute("**/graphql");
});

test("the embeddings are drawn with WebGL and come down under the user's own ids", async () => {
  await page.getByRole("link", { name: "Embeddings and downloads" }).click();
  await page.locator('[data-renderer="webgl"]').waitFor(patience);
  await page.getByRole("group", { name: "Classes" }).getByText("bird").waitFor(patience);
  await takeShot(page, "10-embeddings");
  expect(graph.ids).toContain(await idUnderPointer(page));

  const parquet = await downloaded(page, () =>
    page
      .getByRole("link", { name: /^Parquet/ })
      .first()
      .click(),
  );
  expect((await readFile(await parquet.path())).subarray(0, 4).toString()).toBe("PAR1");
  const made = await downloaded(page, () => page.getByRole("button", { name: "Make CSV" }).first().click());
  const lines = (await readFile(await made.path(), "utf8")).trimEnd().split("\n");
  expect(lines).toHaveLength(1 + graph.ids.length);
  for (const id of trapIds) {
    const written = id.includes(",") ? `"${id.replaceAll('"', '""')}"` : id;
    expect(lines.filter((line) => line.startsWith(`${written},`) || line.startsWith(`"${written}",`))).toHaveLength(1);
  }
});

test("a browser without WebGL draws the same map on a 2-D canvas", async () => {
  const plain = await page.context().newPage();
  await plain.addInitScript(`{
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
      return kind.startsWith("webgl") ? null : getContext.call(this, kind, ...more);
    };
  }`);
  await plain.goto(page.url());
  await plain.locator('[data-renderer="canvas"]').waitFor(patience);
  await takeShot(plain, "10-embeddings-canvas");
  await plain.close();
});

test("no page is wider than a phone, and the dark colours are drawn", async () => {
  const job = page.url().replace("/embeddings", "");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 400, height: 800 });
  const headings = { [job]: "e2e", [`${job}/embeddings`]: "Embeddings of e2e", [`${stack.url}/datasets`]: "Datasets" };
  for (const [url, heading] of Object.entries(headings)) {
    await page.goto(url);
    await page.getByRole("heading", { name: heading, level: 1 }).waitFor(patience);
    if (url.endsWith("/embeddings")) await page.locator('[data-renderer="webgl"]').waitFor(patience);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(400);
    await takeShot(page, `17-phone-${heading.replaceAll(" ", "-")}`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${stack.url}/jobs/new`);
  await page.getByText("Memory per rank").waitFor(patience);
  await takeShot(page, "18-dark-form");
  await page.getByRole("button", { name: "Use light colours" }).click();
  expect(await page.evaluate("document.documentElement.dataset.mantineColorScheme")).toBe("light");
  await page.emulateMedia({ colorScheme: "light" });
});

async function downloaded(at: Page, click: () => Promise<void>): Promise<Download> {
  const [download] = await Promise.all([at.waitForEvent("download", patience), click()]);
  return download;
}

test("a page whose API is killed says so, catches up by cursor and draws every epoch once", async () => {
  await startJob("long", { Epochs: "190" });
  await page.getByRole("region", { name: "Learning" }).locator("canvas").first().waitFor(patience);
  process.kill(await stack.pidOf("api"), "SIGKILL");
  await page.getByText("The connection was lost").waitFor(patience);
  await takeShot(page, "11-reconnecting");
  await page.getByText("Live", { exact: true }).or(jobState("Succeeded")).first().waitFor(patience);
  await jobState("Succeeded").waitFor(patience);
  const curve = await page.getByText(/^train\/loss: \d+ points/).textContent();
  expect(curve).toContain("train/loss: 190 points");
  // The failed requests while there was no API are in the console.
  watched.complaints.length = 0;
});

test("a page opened after the end shows the newest log lines, and the first ones when asked", async () => {
  await page.reload();
  const log = page.getByRole("log", { name: "Log" });
  await log.getByText("Results exported").waitFor(patience);
  const started = log.getByText("Training started");
  expect(await started.count()).toBe(0);
  const earlier = log.getByRole("button", { name: "Earlier lines" });
  while (await earlier.isVisible()) {
    const lines = await log.locator("> div").count();
    await earlier.click();
    await expect.poll(() => log.locator("> div").count(), patience).toBeGreaterThan(lines);
  }
  expect(await started.count()).toBe(1);
});

test("a worker that is killed is told as an incident, and the job ends in another attempt", async () => {
  await startJob("killed", { Epochs: "120", Seed: "1" });
  await page.getByText(/^train\/loss: (\d{2,}|[5-9]) points/).waitFor({ ...patience, state: "attached" });
  process.kill(await stack.pidOf("worker"), "SIGKILL");
  const happened = page.getByRole("region", { name: "What happened" });
  await happened.getByText("Attempt 2 started").waitFor(patience);
  expect(await happened.innerText()).toMatch(/It resumed from epoch \d+/);
  await jobState("Succeeded").waitFor(patience);
  await takeShot(page, "12-incident");
});

test("a job is cancelled after a question, and one that waited for it says why and goes on", async () => {
  await startJob("waiting's cause", { Epochs: "5000" });
  await page.getByRole("region", { name: "Learning" }).locator("canvas").first().waitFor(patience);
  const running = page.url();
  await startJob("waiting", { Epochs: "3", Seed: "2" });
  const waiting = page.url();
  await page.getByText("Waiting, number 1 in the queue").waitFor(patience);
  await takeShot(page, "13-waiting");

  await page.goto(running);
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await takeShot(page, "13-cancel");
  await page.getByRole("button", { name: "Cancel the job" }).click();
  await jobState("Cancelled").waitFor(patience);
  await page.goto(waiting);
  await jobState("Succeeded").waitFor(patience);
  expect(await page.getByText("in the queue").count()).toBe(0);
});

test("an ended job is deleted after a question, and only it is gone", async () => {
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Delete this job…" }).click();
  await page.getByRole("dialog").getByText("The dataset stays").waitFor(patience);
  await takeShot(page, "13-delete");
  const deleted = page.url();
  await page.getByRole("button", { name: "Delete the job" }).click();
  const jobs = page.getByRole("table", { name: "Jobs" });
  await jobs.getByRole("link", { name: "waiting's cause" }).waitFor(patience);
  expect(await jobs.getByRole("link", { name: "waiting", exact: true }).count()).toBe(0);
  await page.goto(deleted);
  await page.getByText("There is no such job").waitFor(patience);
});

function jobState(state: string) {
  return page.getByRole("status", { name: "State of the job" }).getByText(state);
}

/**
 * Fills the form of the only dataset and starts; its preset has no early stopping, so the epochs are what was asked.
 */
async function startJob(name: string, fields: Readonly<Record<string, string>>): Promise<void> {
  await page.goto(`${stack.url}/jobs/new`);
  await page.getByLabel("Job name").fill(name);
  for (const [label, value] of Object.entries(fields)) {
    await page.getByRole("region", { name: "Training" }).getByLabel(label, { exact: true }).fill(value);
  }
  expect(await page.getByLabel("Early stopping").isChecked()).toBe(false);
  await page.getByLabel("Ranks", { exact: true }).fill("2");
  await page.getByRole("button", { name: "Start training" }).click();
  await page.getByRole("list", { name: "Stages" }).waitFor(patience);
}

test("a row that does not fit is named with its file and line", async () => {
  await page.goto(`${stack.url}/datasets/new`);
  await page.getByLabel("Dataset name").fill("broken");
  await page
    .locator('input[type="file"]')
    .setInputFiles([{ name: "edges.csv", mimeType: "text/csv", buffer: Buffer.from("src,dst\na,b\nb,c\nc\n") }]);
  await page.getByRole("button", { name: "Upload and continue" }).click();
  const file = page.getByRole("region", { name: "File edges.csv" });
  await file
    .getByRole("alert")
    .getByText(/edges\.csv, line 4: found 1 columns, expected 2/)
    .waitFor(patience);
  // The way on is on the same page.
  await page.getByRole("button", { name: "Add files" }).waitFor(patience);
  await takeShot(page, "14-broken-dataset");
});

test("an admin adds a worker: its credential is shown once, with what starts it, and revoked after a question", async () => {
  await page.goto(`${stack.url}/workers`);
  const panel = page.getByRole("region", { name: "Add a worker" });
  await panel.getByText("lets anybody in without a password").waitFor(patience);
  await panel.getByLabel("Worker id").pressSequentially("a:b");
  await panel.getByRole("button", { name: "Create credential" }).click();
  await panel.getByText('found "a:b"').waitFor(patience);
  // The refused id is no complaint of the page.
  watched.complaints.length = 0;
  // What was refused is still there.
  await panel.getByLabel("Worker id").press("Control+A");
  await panel.getByLabel("Worker id").pressSequentially("gpu-2");
  await panel.getByRole("button", { name: "Create credential" }).click();
  await panel.getByText("copy it now").waitFor(patience);
  const command = await panel.getByLabel("Command").innerText();
  expect(command).toMatch(/REDIS_URL=redis:\/\/hopwise-worker-gpu-2:hww_[\w-]{43}@.*docker-compose\.worker\.yml/s);
  await panel
    .getByRole("table", { name: "Credentials of workers" })
    .getByText("hopwise-worker-gpu-2")
    .waitFor(patience);
  await takeShot(page, "15-add-worker");
  await page.emulateMedia({ colorScheme: "dark" });
  await takeShot(page, "15-add-worker-dark");
  await page.setViewportSize({ width: 400, height: 800 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(400);
  await takeShot(page, "15-add-worker-phone");
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
  await panel.getByLabel("Worker id").pressSequentially("gpu-2");
  await panel.getByRole("button", { name: "Renew its password" }).click();
  await expect.poll(() => panel.getByLabel("Command").innerText(), patience).not.toBe(command);

  await page.reload();
  const revoke = panel.getByRole("button", { name: "Revoke the credential of gpu-2" });
  await revoke.click();
  await takeShot(page, "15-revoke-worker");
  await page.getByRole("button", { name: "Revoke it" }).click();
  await revoke.waitFor({ ...patience, state: "detached" });
  expect(await panel.getByText("hww_").count()).toBe(0);
});

test("workers, keys and an unknown address are drawn; a new key is shown once", async () => {
  await page.getByRole("link", { name: "Workers" }).click();
  await page.getByRole("table", { name: "Workers" }).getByText("Online").waitFor(patience);
  await takeShot(page, "15-workers");
  await page.getByRole("link", { name: "API keys" }).click();
  await page.getByLabel("Name").fill("nightly");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByText("copy it now").waitFor(patience);
  const revoke = page.getByRole("button", { name: "Revoke nightly" });
  await revoke.waitFor(patience);
  await takeShot(page, "16-api-keys");
  await revoke.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByText("refused within a second").waitFor(patience);
  expect(await page.getByText("copy it now").count()).toBe(1);
  await page.getByRole("button", { name: "Revoke it" }).focus();
  await page.keyboard.press("Enter");
  await revoke.waitFor({ ...patience, state: "detached" });
  expect(await page.getByText("copy it now").count(), "a key that is revoked is shown no more").toBe(0);
  await page.goto(`${stack.url}/jobs/job_of_nobody`);
  await page.getByText("There is no such job").waitFor(patience);
});

test("nothing was asked of another host, and the page never complained", () => {
  expect(watched.foreign).toEqual([]);
  expect(watched.complaints).toEqual([]);
});

/** The id that the map shows of the first point that the pointer comes across. */
async function idUnderPointer(page: Page): Promise<string | null> {
  const canvas = page.locator("[data-renderer] canvas");
  const tip = page.getByRole("tooltip").locator("p").first();
  const { width, height } = (await canvas.boundingBox()) ?? { width: 0, height: 0 };
  for (let y = 10; y < height; y += 15) {
    for (let x = 10; x < width; x += 15) {
      await canvas.hover({ position: { x, y } });
      if ((await tip.count()) > 0) return tip.textContent();
    }
  }
  return null;
}
