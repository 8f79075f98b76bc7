import { describe, expect, it } from "vitest";
import type { GraphInfo } from "../../src/io/ingest/ingest-report.ts";
import type { PreviewInfo } from "../../src/io/preview/preview-info.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { mapStep } from "../../src/steps/map.step.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";

type Files = Record<string, string>;

async function preview(files: Files, addsTo?: { spec: unknown; files: string[] }): Promise<PreviewInfo> {
  const options = mapStep.options.parse({ ...(addsTo && { addsTo }) });
  const { manifest } = await runStep(mapStep, { files: await filesArtifact(files) }, options);
  return manifest.info as PreviewInfo;
}

/** What is proposed when files are added to a version of others, whose mapping is `spec` or what was proposed. */
async function added(before: Files, more: Files, spec?: unknown): Promise<PreviewInfo> {
  const kept = spec ?? (await preview(before)).proposed;
  return preview({ ...before, ...more }, { spec: kept, files: Object.keys(before) });
}

async function graphOf(files: Files, spec: unknown) {
  const { manifest } = await runStep(ingestStep, { files: await filesArtifact(files) }, spec);
  const digests = manifest.blobs.map(({ name, sha256 }) => [name, sha256]);
  return { info: manifest.info as GraphInfo, digests };
}

function rows(count: number, head: string, row: (i: number) => string): string[] {
  return [head, ...Array.from({ length: count }, (_, i) => row(i))];
}

/** The first rows, and the others below the same head */
function cut(lines: readonly string[], at: number): [string, string] {
  const [head = ""] = lines;
  return [`${lines.slice(0, at).join("\n")}\n`, `${[head, ...lines.slice(at)].join("\n")}\n`];
}

const words = ["cs", "bio", "", "math"];
const nodeLines = rows(40, "id,label,age,kind", (i) => `n${i},${words[i % 4]},${i % 7 === 3 ? "" : i / 2},k${i % 3}`);
const edgeLines = rows(120, "src,dst,weight", (i) => `n${(i * 7) % 40},n${(i * 11 + 1) % 40},${1 + (i % 5)}`);

describe("rows that are added", () => {
  it("make the graph that one upload of all rows makes, bit by bit", async () => {
    const [nodes, moreNodes] = cut(nodeLines, 31);
    const [edges, moreEdges] = cut(edgeLines, 71);
    const before = { "edges.csv": edges, "nodes.csv": nodes };
    const spec = {
      edges: { files: ["edges.csv"], src: "src", dst: "dst", weight: "weight" },
      nodes: {
        files: ["nodes.csv"],
        id: "id",
        label: "label",
        features: { columns: ["age"], missing: { age: { fill: "mean" } }, oneHot: ["kind"] },
      },
    };
    const more = { "monday-a.csv": moreNodes, "monday-b.csv": moreEdges };
    const { proposed, warnings } = await added(before, more, spec);
    expect(warnings).toEqual([]);
    const grown = await graphOf({ ...before, ...more }, proposed);
    const all = { "edges.csv": `${edgeLines.join("\n")}\n`, "nodes.csv": `${nodeLines.join("\n")}\n` };
    const whole = await graphOf(all, spec);
    expect(grown.digests).toEqual(whole.digests);
    expect(grown.info.numNodes).toBe(40);
    expect(grown.info.report.files).toEqual([
      { name: "nodes.csv", nodeRows: 30, edgeRows: 0 },
      { name: "monday-a.csv", nodeRows: 10, edgeRows: 0 },
      { name: "edges.csv", nodeRows: 0, edgeRows: 70 },
      { name: "monday-b.csv", nodeRows: 0, edgeRows: 50 },
    ]);
  });

  it("make the same graph when the JSON lines of several nights are one file, a line break behind each", async () => {
    const spec = (...files: string[]) => ({
      edges: { files: ["edges.csv", ...files], src: "src", dst: "dst", weight: "weight" },
      nodes: { files: ["nodes.csv"], id: "id", label: "label" },
    });
    const night = (...targets: number[]) => targets.map((i) => `{"src":"n1","dst":"n${i}","weight":${i}}`).join("\n");
    const other = { "nodes.csv": `${nodeLines.join("\n")}\n`, "edges.csv": `${edgeLines.join("\n")}\n` };
    const single = { "sales.jsonl": night(3, 5), "sales-7.jsonl": `${night(4)}\n`, "sales-8.jsonl": night(5, 9, 2) };
    const joined = [single["sales.jsonl"], "\n", single["sales-7.jsonl"], single["sales-8.jsonl"], "\n"].join("");
    const nights = await graphOf({ ...other, ...single }, spec(...Object.keys(single)));
    const one = await graphOf({ ...other, "sales.jsonl": joined }, spec("sales.jsonl"));
    expect(one.digests).toEqual(nights.digests);
    expect(one.info.report.files?.at(-1)).toEqual({ name: "sales.jsonl", nodeRows: 0, edgeRows: 6 });
  });

  it("come to the type and the relation whose columns they have, and again make the same graph", async () => {
    const papers = rows(12, "paper,year", (i) => `p${i},${2000 + i}`);
    const people = rows(6, "person,name", (i) => `a${i},x`);
    const wrote = rows(12, "person,paper", (i) => `a${i % 6},p${i}`);
    const cites = rows(11, "from,to", (i) => `p${i + 1},p${i}`);
    const spec = {
      nodeTypes: {
        paper: { files: ["papers.csv"], id: "paper", features: { columns: ["year"] } },
        person: { files: ["people.csv"], id: "person" },
      },
      relations: [
        { source: "person", name: "wrote", target: "paper", files: ["wrote.csv"], src: "person", dst: "paper" },
        { source: "paper", name: "cites", target: "paper", files: ["cites.csv"], src: "from", dst: "to" },
      ],
    };
    const parts = { papers: cut(papers, 9), wrote: cut(wrote, 8), cites: cut(cites, 7) };
    const lines = (all: readonly string[]) => `${all.join("\n")}\n`;
    const before = {
      "papers.csv": parts.papers[0],
      "people.csv": lines(people),
      "wrote.csv": parts.wrote[0],
      "cites.csv": parts.cites[0],
    };
    const more = { "1.csv": parts.cites[1], "2.csv": parts.papers[1], "3.csv": parts.wrote[1] };
    const { proposed, warnings } = await added(before, more, spec);
    expect(warnings).toEqual([]);
    expect(proposed).toMatchObject({
      nodeTypes: { paper: { files: ["papers.csv", "2.csv"] }, person: { files: ["people.csv"] } },
      relations: [{ files: ["wrote.csv", "3.csv"] }, { files: ["cites.csv", "1.csv"] }],
    });
    const grown = await graphOf({ ...before, ...more }, proposed);
    const all = { papers, people, wrote, cites };
    const whole = Object.fromEntries(Object.entries(all).map(([name, each]) => [`${name}.csv`, lines(each)]));
    expect(grown.digests).toEqual((await graphOf(whole, spec)).digests);
  });

  it("come to the table that is joined, and to the list of the split, where they have its columns", async () => {
    const ids = rows(12, "id,age", (i) => `n${i},${i}`);
    const labels = rows(12, "who,label", (i) => `n${11 - i},${words[(11 - i) % 4]}`);
    const edges = rows(12, "src,dst", (i) => `n${i},n${(i * 5) % 12}`);
    const train = rows(8, "node", (i) => `n${i}`);
    const parts = { ids: cut(ids, 12), labels: cut(labels, 12), train: cut(train, 8), edges: cut(edges, 5) };
    const before = {
      "edges.csv": parts.edges[0],
      "nodes.csv": parts.ids[0],
      "labels.csv": parts.labels[0],
      "train.csv": parts.train[0],
    };
    const more = { "1.csv": parts.labels[1], "2.csv": parts.train[1], "3.csv": parts.ids[1], "4.csv": parts.edges[1] };
    const specOf = (join: object) => ({
      edges: { files: ["edges.csv"], src: "src", dst: "dst" },
      nodes: {
        files: ["nodes.csv"],
        id: "id",
        label: "label",
        features: { columns: ["age"] },
        join: [{ files: ["labels.csv"], id: "who", ...join }],
        splitFiles: { train: { files: ["train.csv"], id: "node" } },
      },
    });
    for (const join of [{}, { columns: ["label"] }]) {
      const { proposed, warnings } = await added(before, more, specOf(join));
      expect(warnings).toEqual([]);
      expect(proposed).toMatchObject({
        nodes: {
          files: ["nodes.csv", "3.csv"],
          join: [{ files: ["labels.csv", "1.csv"] }],
          splitFiles: { train: { files: ["train.csv", "2.csv"] } },
        },
      });
      const grown = await graphOf({ ...before, ...more }, proposed);
      const all = { "nodes.csv": ids, "labels.csv": labels, "train.csv": train, "edges.csv": edges };
      const whole = Object.fromEntries(Object.entries(all).map(([name, each]) => [name, `${each.join("\n")}\n`]));
      expect(grown.digests).toEqual((await graphOf(whole, specOf(join))).digests);
    }
  });

  it("bring new users and new items where the edges alone name them", async () => {
    const clicks = rows(30, "user_id,item_id", (i) => `${i % 9},${(i * 7) % 13}`);
    const [first, more] = cut(clicks, 7);
    const { proposed } = await added({ "clicks.csv": first }, { "tuesday.csv": more });
    const files = ["clicks.csv", "tuesday.csv"];
    expect(proposed).toMatchObject({ nodeTypes: { user: { files }, item: { files } }, relations: [{ files }] });
    const grown = await graphOf({ "clicks.csv": first, "tuesday.csv": more }, proposed);
    const all = { "clicks.csv": `${clicks.join("\n")}\n` };
    expect(grown.digests).toEqual((await graphOf(all, (await preview(all)).proposed)).digests);
    expect(grown.info.numNodes).toBe(9 + 13);
  });
});

const before = { "edges.csv": "src,dst\na,b\nb,c\n", "nodes.csv": "id,age\na,1\nb,2\nc,3\n" };
const spec = {
  edges: { files: ["edges.csv"], src: "src", dst: "dst" },
  nodes: { files: ["nodes.csv"], id: "id", features: { columns: ["age"] } },
};

describe("files that cannot be added", () => {
  it.each([
    [
      "columns of other names",
      "id,years\nd,4\n",
      /^new\.csv fits .* As the nodes, in nodes\.csv, .* "age", and "years"/,
    ],
    [
      "texts for numbers",
      "id,age\nd,old\n",
      /As the nodes, .*its column "age" holds text, and that of nodes\.csv numbers/,
    ],
    ["another delimiter", "id;age\nd;4\n", null],
    ["no column of any", "x,y\n1,2\n", /^new\.csv fits no files of the version that it adds to/],
    ["nothing", "", /new\.csv/],
  ])("with %s are told by their names, and nothing is proposed", async (_, content, expected) => {
    const { proposed, warnings, files } = await added(before, { "new.csv": content }, spec);
    if (expected === null) return expect(proposed).toMatchObject({ nodes: { files: ["nodes.csv", "new.csv"] } });
    expect(proposed).toBeNull();
    expect(warnings).toEqual([expect.stringMatching(expected)]);
    expect(files.find(({ name }) => name === "new.csv")?.problem?.detail).toMatch(expected);
  });

  it("have the columns of two sections, unless one of these has exactly theirs", async () => {
    const relation = (name: string) => ({
      source: "n",
      name,
      target: "n",
      files: [`${name}.csv`],
      src: "src",
      dst: "dst",
    });
    const typed = {
      nodeTypes: { n: { files: ["nodes.csv"], id: "id" } },
      relations: [relation("likes"), relation("knows")],
    };
    const given = { "nodes.csv": "id\na\nb\n", "likes.csv": "src,dst,why\na,b,x\n", "knows.csv": "src,dst\na,b\n" };
    const exact = await added(given, { "new.csv": "src,dst\nb,a\n" }, typed);
    expect(exact.proposed).toMatchObject({ relations: [{}, { files: ["knows.csv", "new.csv"] }] });
    const both = await added(given, { "new.csv": "src,dst,when\nb,a,1\n" }, typed);
    expect(both.proposed).toBeNull();
    expect(both.warnings).toEqual([expect.stringMatching(/may add to the relation "n likes n", and to the .*knows/)]);
  });

  it("have columns that no file had, which are said and not read", async () => {
    const { proposed, warnings } = await added(before, { "new.csv": "id,age,city\nd,4,x\n" }, spec);
    expect(proposed).toMatchObject({ nodes: { files: ["nodes.csv", "new.csv"] } });
    expect(warnings).toEqual(['new.csv: "city" is in no other file of the nodes, and is not read.']);
  });

  it("leave a matrix of features without rows for more nodes", async () => {
    const matrix = { ...spec, nodes: { ...spec.nodes, features: { file: "x.npy" } } };
    const { proposed, warnings } = await added(before, { "new.csv": "id,age\nd,4\n" }, matrix);
    expect(proposed).toBeNull();
    expect(warnings.join()).toMatch(/their features are the rows of x\.npy/);
  });

  it("are none at all", async () => {
    const { proposed, warnings } = await added(before, {}, spec);
    expect({ proposed, warnings }).toEqual({
      proposed: null,
      warnings: [expect.stringContaining("No file adds rows")],
    });
  });

  it("name nodes that neither has, or nodes that are there, by line and column", async () => {
    const stranger = { "new.csv": "src,dst\na,c\nb,z\n" };
    const strange = await added(before, stranger, spec);
    await expect(graphOf({ ...before, ...stranger }, strange.proposed)).rejects.toThrow(
      /new\.csv, line 3, column "dst".*"z"/,
    );
    const repeated = { "new.csv": "id,age\nd,4\nb,5\n" };
    const again = await added(before, repeated, spec);
    await expect(graphOf({ ...before, ...repeated }, again.proposed)).rejects.toThrow(
      /new\.csv, line 3, column "id": the id "b"/,
    );
  });
});
