import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import type { ArtifactDir } from "../../src/index.ts";
import { datasetSpec } from "../../src/io/dataset-spec.ts";
import { readNpy } from "../../src/io/npy.ts";
import { mapGraphArtifact } from "../../src/partition/graph-artifact.ts";
import { readModelInfo } from "../../src/spec/model-info.ts";
import { inferStep } from "../../src/steps/infer.step.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { remapStep } from "../../src/steps/remap.step.ts";
import { trainStep } from "../../src/steps/train.step.ts";
import { usualDatasets } from "../support/real-datasets.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";
import { runStepRanks } from "../support/run-step-ranks.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

// Papers and authors are numbered from 0 alike; topics have no features.
const files = {
  "papers.csv": "id,label,split,a,b\n0,x,train,1,2\n1,y,val,0,4\n2,,none,5,6\n",
  "authors.csv": "id,age\n0,30\n1,40\n",
  "topics.csv": "id\nt1\nt2\n",
  "writes.csv": "author,paper,share\n0,0,0.5\n1,0,2\n1,2,1\n",
  "about.csv": "paper,topic\n0,t1\n1,t2\n2,t2\n",
  "cites.csv": "from,to\n1,0\n2,2\n",
};
const spec = {
  nodeTypes: {
    paper: { files: ["papers.csv"], id: "id", label: "label", split: "split", features: { columns: ["a", "b"] } },
    author: { files: ["authors.csv"], id: "id", features: { columns: ["age"] } },
    topic: { files: ["topics.csv"], id: "id" },
  },
  relations: [
    {
      source: "author",
      name: "writes",
      target: "paper",
      files: ["writes.csv"],
      src: "author",
      dst: "paper",
      weight: "share",
    },
    {
      source: "paper",
      name: "about",
      target: "topic",
      files: ["about.csv"],
      src: "paper",
      dst: "topic",
      reverse: "has",
    },
    { source: "paper", name: "cites", target: "paper", files: ["cites.csv"], src: "from", dst: "to", reverse: false },
  ],
};

const ingest = async (given: object = spec, changed: Record<string, string> = {}) =>
  runStep(ingestStep, { files: await filesArtifact({ ...files, ...changed }) }, given);

let graph: ArtifactDir;
beforeAll(async () => {
  graph = await ingest();
});

test("types become one space of nodes, each with its own columns, and relations lead between the right ones", async () => {
  expect(graph.manifest.info).toMatchObject({
    numNodes: 7,
    nodeTypes: ["author", "paper", "topic"],
    edgeTypes: ["about", "cites", "has", "rev_writes", "writes"],
    hasTypeInIds: true,
    idType: "string",
    directed: false,
    classes: ["x", "y"],
    splits: { train: 1, val: 1, test: 0, none: 5 },
    features: {
      kind: "csr",
      dim: 3,
      types: [
        { name: "author", first: 0, dim: 1 },
        { name: "paper", first: 1, dim: 2 },
        { name: "topic", first: 3, dim: 0 },
      ],
    },
    schema: {
      nodeTypes: [
        { name: "author", count: 2 },
        { name: "paper", count: 3 },
        { name: "topic", count: 2 },
      ],
      relations: [
        { source: "author", name: "writes", target: "paper", count: 3 },
        { source: "paper", name: "about", target: "topic", count: 3 },
        { source: "paper", name: "cites", target: "paper", count: 1 },
        { source: "paper", name: "rev_writes", target: "author", count: 3 },
        { source: "topic", name: "has", target: "paper", count: 3 },
      ],
    },
    report: { selfLoops: 1, duplicateEdges: 0, rowsRead: 15 },
  });
  const { features, labels, nodeTypes, indptr, indices, edgeTypes, weights } = mapGraphArtifact(graph);
  expect([...labels]).toEqual([-1, -1, 0, 1, -1, -1, -1]);
  expect([...nodeTypes!]).toEqual([0, 0, 1, 1, 1, 2, 2]);
  const rows = features!.gather(Int32Array.from([0, 1, 2, 3, 4, 5]));
  expect(rows).toMatchObject({ kind: "csr", dim: 3 });
  if (rows.kind !== "csr") return;
  expect([...rows.indptr]).toEqual([0, 1, 2, 4, 6, 8, 8]);
  expect([...rows.indices]).toEqual([0, 0, 1, 2, 1, 2, 1, 2]);
  expect([...rows.values]).toEqual([30, 40, 1, 2, 0, 4, 5, 6]);
  // Into paper 0 (node 2): both authors, topic t1, paper 1; edges without a weight of their own weigh 1.
  const inEdges = Array.from({ length: Number(indptr[3]! - indptr[2]!) }, (_, i) => Number(indptr[2]) + i);
  const names = graph.manifest.info["edgeTypes"] as string[];
  expect(inEdges.map((e) => [indices[e], names[edgeTypes![e]!], weights![e]])).toEqual([
    [0, "writes", 0.5],
    [1, "writes", 2],
    [3, "cites", 1],
    [5, "has", 1],
  ]);
});

test("ids are told apart by their type only where several types have some alike", async () => {
  const bytesOf = async ({ dir }: ArtifactDir) =>
    Buffer.from((await readNpy(join(dir, "nodes/ids/bytes.npy"), "uint8")).values).toString();
  expect(await bytesOf(graph)).toBe("author/0author/1paper/0paper/1paper/2topic/t1topic/t2");
  const apart = await ingest(spec, {
    "authors.csv": "id,age\n10,30\n11,40\n",
    "writes.csv": "author,paper,share\n10,0,0.5\n11,0,2\n11,2,1\n",
  });
  expect(await bytesOf(apart)).toBe("1011012t1t2");
  expect(apart.manifest.info).not.toHaveProperty("hasTypeInIds");
});

test("a relation between nodes of one type may lead both ways under its own name", async () => {
  const both = { ...spec, relations: [{ ...spec.relations[2]!, reverse: "cites" }] };
  const found = await ingest(both);
  expect(found.manifest.info).toMatchObject({ edgeTypes: ["cites"], numEdges: 2, report: { duplicateEdges: 0 } });
});

test.each([
  ["an id of another type", {}, { "about.csv": "paper,topic\n0,t1\n1,0\n" }, "DATASET_NODE_UNKNOWN", "about.csv", 3],
  ["a relation without edges", {}, { "cites.csv": "from,to\n" }, "DATASET_FILE_EMPTY", "cites.csv", undefined],
  ["an id twice in its type", {}, { "topics.csv": "id\nt1\nt1\n" }, "DATASET_DUPLICATE", "topics.csv", 3],
] as const)("%s is refused with its place", async (_, __, changed, code, file, line) => {
  await expect(ingest(spec, changed)).rejects.toMatchObject({ code, place: { file, ...(line && { line }) } });
});

test("an id of the wrong type names the type that it is of", async () => {
  await expect(ingest(spec, { "about.csv": "paper,topic\nt1,0\n" })).rejects.toThrow(
    'about.csv, line 2, column "paper": "t1" is not among the nodes of the type "paper". It is one of "topic"',
  );
});

const [writes, about, cites] = spec.relations;
test.each([
  ["a relation to an unknown type", { relations: [{ ...writes, target: "book" }] }, "/relations/0/target"],
  [
    "two relations of the same ends and name",
    { relations: [writes, { ...writes, files: ["more.csv"] }] },
    "/relations/1/name",
  ],
  ["a name for the way back that is another's", { relations: [about, { ...cites, name: "has" }] }, "/relations"],
  [
    "labels on two types",
    { nodeTypes: { ...spec.nodeTypes, author: { ...spec.nodeTypes.author, targets: ["age"], features: null } } },
    "/nodeTypes/author",
  ],
  ["relations beside one table of edges", { edges: { files: ["e.csv"], src: "a", dst: "b" } }, "/edges"],
  ["relations without types", { nodeTypes: null }, "/nodeTypes"],
  ["types without relations", { relations: null, edges: { files: ["e.csv"], src: "a", dst: "b" } }, "/relations"],
  ["nothing", { relations: null, nodeTypes: null }, "/edges"],
  ["a type with a slash", { nodeTypes: { ...spec.nodeTypes, "a/b": spec.nodeTypes.topic } }, "/nodeTypes/a/b"],
  ["directed beside relations", { directed: true }, "/directed"],
])("%s is refused at its place in the spec", (_, changed, pointer) => {
  const { error } = datasetSpec.safeParse({ ...spec, ...changed });
  expect(error?.issues.map(({ path }) => `/${path.join("/")}`)).toContain(pointer);
});

const acm = join(usualDatasets, "acm-hetero");

test.skipIf(!existsSync(acm))(
  "papers of ACM are told apart by the words of papers and authors, and by learned subjects",
  async () => {
    const typed = (name: string, more: object) => ({ [name]: { files: [`nodes_${name}.csv.gz`], id: "id", ...more } });
    const spec = {
      nodeTypes: {
        ...typed("paper", { label: "label", split: "split_60", features: { file: "features_paper.npz" } }),
        ...typed("author", { features: { file: "features_author.npz" } }),
        ...typed("subject", {}),
      },
      relations: [
        {
          source: "paper",
          name: "written_by",
          target: "author",
          files: ["edges_paper_author.csv.gz"],
          src: "src",
          dst: "dst",
        },
        {
          source: "paper",
          name: "about",
          target: "subject",
          files: ["edges_paper_subject.csv.gz"],
          src: "src",
          dst: "dst",
        },
      ],
    };
    const names = readdirSync(acm).filter((name) => !name.endsWith(".md"));
    const files = await filesArtifact(Object.fromEntries(names.map((name) => [name, readFileSync(join(acm, name))])));
    const graph = await runStep(ingestStep, { files }, spec);
    const { numNodes, numEdges, features } = graph.manifest.info as {
      numNodes: number;
      numEdges: number;
      features: object;
    };
    expect({ numNodes, numEdges }).toEqual({ numNodes: 4019 + 7167 + 60, numEdges: 2 * (13_407 + 4019) });
    expect(features).toMatchObject({ dim: 2 * 1902, numValues: 340_377 + 888_869 });
    const parts = await runStep(partitionStep, { graph }, { partition: { type: "random", options: { numParts: 2 } } });
    const options = {
      task: { target: "label" },
      features: { transforms: ["rowNormalize"] },
      model: { type: "rsage", options: { hiddenFeats: 64 } },
      sampling: { type: "neighbor", options: { fanouts: [10, 10], perRelation: true } },
      train: { epochs: 20, batchSize: 180, optimizer: { options: { lr: 0.01 } } },
    };
    const trained = await Promise.all(
      [1, 2].map((worldSize) => runStepRanks(trainStep, { parts }, options, { worldSize })),
    );
    const [one, two] = trained.map((model) => readModelInfo(model)) as [
      ReturnType<typeof readModelInfo>,
      ReturnType<typeof readModelInfo>,
    ];
    expect(one.shape).toMatchObject({ numNodeTypes: 3, numRelations: 4, numLearnedRows: 60 });
    // Logistic regression on the words of the papers alone: 82.9 (README of the data set).
    expect(one.metrics["test/macroF1"]).toBeGreaterThan(0.85);
    expect(two.metrics["test/macroF1"]).toBeCloseTo(one.metrics["test/macroF1"]!, 2);
    const inferred = await runStepRanks(inferStep, { parts, model: trained[1]! }, {}, { worldSize: 1 });
    const remapped = await runStep(remapStep, { graph, parts, inferred }, {});
    const metrics = remapped.manifest.info["metrics"] as Record<string, number>;
    expect(metrics["test/accuracy"]).toBeCloseTo(two.metrics["test/accuracy"]!, 5);
  },
);
