import type { Browser, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectWidth, launchBrowser, openPage, takeShot, type Watched } from "./support/browser.ts";
import { type Keyboard, keyboardOf } from "./support/keyboard.ts";
import { patience } from "./support/patience.ts";
import { smallGraph } from "./support/small-graph.ts";
import { type RunningStack, startStackOnServer } from "./support/stack.ts";

/** Uploads that go wrong, and the ways back: everything by real key presses. */

const withoutLabels = "The graph has no labels: what can be learned are embeddings, and which nodes are linked";
const graph = smallGraph();
const csv = (name: string, text: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
const edges = csv("edges.csv", graph.edges);
const nodes = csv("nodes.csv", graph.nodes);
/** Takes minutes at the speed to which uploads are held below. */
const large = csv("large.csv", `${graph.edges}${graph.edges.replace(/^.*\n/, "").repeat(50)}`);
let stack: RunningStack;
let browser: Browser;
let watched: Watched;
let page: Page;
let keys: Keyboard;
let network: CDPSession | null = null;

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
const dropArea = () =>
  page.getByRole("button", { name: "Drop files here" }).or(page.getByLabel("Drop files here")).first();
const listed = () => page.getByRole("list", { name: "Files", exact: true });

/** Holds uploads of the page to a speed; −1 lets them go. */
async function holdUploads(bytesPerSecond: number): Promise<void> {
  network ??= await page.context().newCDPSession(page);
  const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytesPerSecond };
  await network.send("Network.emulateNetworkConditions", conditions);
}

async function shotsOf(name: string): Promise<void> {
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expectWidth(page, width, name);
      await takeShot(page, `${name}-${scheme}-${width}`);
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
}

test("what no reader takes, what is empty and what replaces another file is said before anything is sent", async () => {
  await page.goto(`${stack.url}/datasets/new`);
  await keys.type(page.getByLabel("Dataset name"), "followers");
  await keys.choose(dropArea(), [
    csv("edges.csv", "a,b\n"),
    csv("empty.csv", ""),
    { name: "plot.png", mimeType: "image/png", buffer: Buffer.from("\x89PNG\r\n\x1a\n0000", "latin1") },
  ]);
  await listed().getByText("The file is empty. It is not sent.").waitFor(patience);
  await listed().getByText("No reader takes it: it is a picture. It is not sent.").waitFor(patience);
  await keys.choose(dropArea(), [edges]);
  await listed().getByText("It takes the place of the “edges.csv” that was chosen before.").waitFor(patience);
  expect(await listed().getByRole("listitem").count()).toBe(3);
  await shotsOf("40-marked-files");

  await keys.press(button("Upload and continue"));
  await keys.press(button("Build the graph"));
  const files = page.getByRole("table", { name: "Files" });
  await files.getByText("edges.csv").waitFor(patience);
  expect(await files.locator("tbody tr").count()).toBe(1);
});

test("a graph without labels says on its page and in the form that embeddings and links can be learned, and what is missing for more", async () => {
  await page.getByText(withoutLabels).waitFor(patience);
  await shotsOf("41-no-labels");
  await keys.press(page.getByRole("link", { name: "Train on this" }));
  await page.getByText(withoutLabels).waitFor(patience);
  expect(await page.getByRole("combobox", { name: "What to predict" }).inputValue()).toBe(
    "Embeddings, from features and edges alone",
  );
  await shotsOf("42-form-no-labels");
  await page.goBack();
});

test("its next version begins with the same files and mapping, and takes another file", async () => {
  await keys.press(button("Map the labels"));
  await page.getByText("It begins with the mapping of version 1").waitFor(patience);
  expect(await page.getByLabel("Role of src in edges.csv").inputValue()).toBe("src");
  await keys.choose(button("Add files"), [nodes]);
  await keys.press(button("Upload and look into them"));
  await page.getByLabel("Role of label in nodes.csv").waitFor(patience);
  expect(await page.getByLabel("Role of label in nodes.csv").inputValue()).toBe("label");
  await shotsOf("43-next-version-mapping");
});

test("every version has its page, and the next one can be trained on", async () => {
  await page.goto(`${stack.url}/datasets`);
  await keys.press(page.getByRole("link", { name: "followers" }));
  await page.getByText("2 files are here").waitFor(patience);
  const versions = page.getByRole("table", { name: "Versions" });
  await keys.press(versions.getByRole("link", { name: "Version 1" }));
  await page.getByText("This is version 1 of 2.").waitFor(patience);
  await page.getByRole("region", { name: "Graph", exact: true }).waitFor(patience);
  await shotsOf("44-version-1");
  await keys.press(page.getByRole("link", { name: "Show the newest" }));
  await page.getByText("2 files are here").waitFor(patience);
  await keys.press(page.getByRole("link", { name: "Map the columns" }));
  await keys.press(button("Build the graph"));
  await page.getByRole("link", { name: "Train on this" }).waitFor(patience);
  await page.getByRole("region", { name: "Labels" }).getByText("plant").waitFor(patience);
  expect(await page.getByText(withoutLabels).count()).toBe(0);
});

test("an upload goes on while one moves about, and the browser asks before the page is left", async () => {
  await page.goto(`${stack.url}/datasets/new`);
  await keys.type(page.getByLabel("Dataset name"), "broken off");
  await keys.choose(dropArea(), [nodes, large]);
  await holdUploads(4000);
  await keys.press(button("Upload and continue"));
  await page
    .getByRole("status", { name: "All files" })
    .getByText(/\/s · about .* left/)
    .waitFor(patience);
  await shotsOf("45-uploading");
  await listed()
    .getByText(/ · uploaded$/)
    .waitFor(patience);
  await keys.press(page.getByRole("link", { name: "Workers" }));
  const notice = page.getByRole("status", { name: "Upload" });
  await notice.getByText(/Files are being uploaded to “broken off”/).waitFor(patience);
  await shotsOf("46-uploading-elsewhere");
  const asked: string[] = [];
  page.once("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await page.reload();
  expect(asked).toEqual(["beforeunload"]);
  await holdUploads(-1);
});

test("after that, the dataset's page says what is missing, and takes it", async () => {
  await keys.press(page.getByRole("link", { name: "Datasets", exact: true }));
  await keys.press(page.getByRole("link", { name: "broken off" }));
  await page.getByText("Not every file has arrived").waitFor(patience);
  await page.getByText("One file is here: nodes.csv.").waitFor(patience);
  const missing = page.getByRole("list", { name: "Missing files" });
  expect(await missing.innerText()).toMatch(/large\.csv \(\d+ KiB\) is missing/);
  expect(await button("Look into the files").count()).toBe(1);
  await shotsOf("47-broken-off");
  await keys.choose(button("Add files"), [large, csv("nodes.csv", graph.nodes)]);
  await listed().getByText("It takes the place of the “nodes.csv” that the dataset has.").waitFor(patience);
  await keys.press(button("Upload and look into them"));
  await page.getByLabel("Role of src in large.csv").waitFor(patience);
  await keys.press(button("Build the graph"));
  await page.getByRole("link", { name: "Train on this" }).waitFor(patience);
  await shotsOf("48-ready");
  await page.reload();
  await page.getByRole("link", { name: "Train on this" }).waitFor(patience);
  expect(watched.foreign).toEqual([]);
});

const typedFiles = [
  csv("nodes_paper.csv", "id,label,split\np1,x,train\np2,y,val\np3,x,test\np4,y,train\n"),
  csv("nodes_author.csv", "id,age\na1,30.5\na2,40.5\n"),
  csv("writes.csv", "author,paper\na1,p1\na1,p3\na2,p2\na2,p4\n"),
  csv("cites.csv", "from,to\np2,p1\np4,p3\n"),
];

test("a file that holds a whole graph is mapped as its edges and its nodes", async () => {
  const club = '{"nodes": [{"id": 0, "label": "x"}, {"id": 1, "label": "y"}], "links": [{"source": 0, "target": 1}]}';
  await page.goto(`${stack.url}/datasets/new`);
  await keys.type(page.getByLabel("Dataset name"), "club");
  await keys.choose(dropArea(), [{ name: "club.json", mimeType: "application/json", buffer: Buffer.from(club) }]);
  await keys.press(button("Upload and continue"));
  // The input itself is drawn by its label.
  const chosen = { ...patience, state: "attached" } as const;
  const uses = (part: string) => page.getByRole("radiogroup", { name: `What club.json (${part}) holds` });
  await uses("edges").getByRole("radio", { name: "Edges" }).and(page.locator(":checked")).waitFor(chosen);
  await uses("nodes").getByRole("radio", { name: "Nodes" }).and(page.locator(":checked")).waitFor(chosen);
  await shotsOf("48-whole-graph");
  await keys.press(button("Build the graph"));
  await page.getByText("2 nodes", { exact: false }).first().waitFor(patience);
  await page.getByRole("button", { name: "Map the files again" }).waitFor(patience);
});

test("files called after types are mapped each by itself, drawn, and mapped alike in the next version", async () => {
  await page.goto(`${stack.url}/datasets/new`);
  await keys.type(page.getByLabel("Dataset name"), "papers and authors");
  await keys.choose(dropArea(), typedFiles);
  await keys.press(button("Upload and continue"));
  await page.getByLabel("Type of nodes_paper.csv").waitFor(patience);
  const proposed = ["Source type of writes.csv", "Relation of writes.csv", "Target type of cites.csv"];
  const values = await Promise.all(proposed.map((label) => page.getByLabel(label, { exact: true }).inputValue()));
  expect(values).toEqual(["author", "writes", "paper"]);
  await shotsOf("49-typed-mapping");
  await keys.press(button("Build the graph"));

  await page.getByRole("img", { name: "Schema. author: 2 nodes; paper: 4 nodes." }).waitFor(patience);
  const relations = await page.getByRole("table", { name: "Relations" }).locator("tbody tr").allInnerTexts();
  expect(relations.map((row) => row.split(/\s+/).join(" "))).toEqual([
    "author writes paper 4",
    "paper cites paper 2",
    "paper rev_cites paper 2",
    "paper rev_writes author 4",
  ]);
  await shotsOf("50-schema");
  await keys.press(button("Map the files again"));
  await page.getByText("It begins with the mapping of version 1").waitFor(patience);
  expect(await page.getByLabel("Relation of cites.csv").inputValue()).toBe("cites");
});
