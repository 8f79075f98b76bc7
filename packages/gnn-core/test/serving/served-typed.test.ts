import { join } from "node:path";
import { expect, it } from "vitest";
import { explainNode } from "../../src/explain/explain-node.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { graphFromRelations } from "../../src/graph/graph-from-relations.ts";
import { readNpy } from "../../src/io/npy.ts";
import { loadParts } from "../../src/partition/load-parts.ts";
import type { NewNode } from "../../src/serving/new-nodes/new-node.ts";
import { loadRegistry } from "../../src/spec/index.ts";
import { readModelInfo } from "../../src/spec/model-info.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { appliedModel } from "../../src/train/applied-model.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";
import { served, trained } from "./support/grown-graphs.ts";
import { servedOn } from "./support/typed-graphs.ts";

const [numAuthors, numPapers] = [12, 18];
const age = (author: number) => Number(Math.sin(author).toFixed(3));
const words = (paper: number) => [Math.cos(3 * paper), (paper % 5) - 2].map((x) => Number(x.toFixed(3)));
const writes = Array.from({ length: 30 }, (_, i) => [(i * 7) % numAuthors, (i * i + 3) % numPapers] as const);
const cites = Array.from({ length: 24 }, (_, i) => [(i * 5) % numPapers, (i * i + 2 * i + 1) % numPapers] as const);

/** Authors first: nodes are counted type after type, in the order of their names. */
const rowOfPaper = (paper: number) => numAuthors + paper;

const featureColumns = (columns: readonly string[]) => ({ columns });

function lines(head: string, rows: readonly (readonly (string | number)[])[]): string {
  return `${head}\n${rows.map((row) => row.join(",")).join("\n")}\n`;
}

async function typedGraph(authorFeatures: object | null) {
  const papers = Array.from({ length: numPapers }, (_, p) => {
    return [`p${p}`, ...words(p), `c${p % 3}`, ["train", "val", "test"][(p >> 1) % 3]!];
  });
  const files = await filesArtifact({
    "authors.csv": lines(
      "id,age",
      Array.from({ length: numAuthors }, (_, a) => [`a${a}`, age(a)]),
    ),
    "papers.csv": lines("id,x,y,label,split", papers),
    "writes.csv": lines(
      "src,dst",
      writes.map(([a, p]) => [`a${a}`, `p${p}`]),
    ),
    "cites.csv": lines(
      "src,dst",
      cites.map(([from, to]) => [`p${from}`, `p${to}`]),
    ),
  });
  const ends = { src: "src", dst: "dst" };
  const graph = await runStep(
    ingestStep,
    { files },
    {
      nodeTypes: {
        author: { files: ["authors.csv"], id: "id", ...(authorFeatures && { features: authorFeatures }) },
        paper: {
          files: ["papers.csv"],
          id: "id",
          label: "label",
          split: "split",
          features: featureColumns(["x", "y"]),
        },
      },
      relations: [
        { source: "author", name: "writes", target: "paper", files: ["writes.csv"], ...ends },
        { source: "paper", name: "cites", target: "paper", files: ["cites.csv"], ...ends },
      ],
    },
  );
  const cut = { partition: { type: "random", options: { numParts: 2 } } };
  return { graph, parts: await runStep(partitionStep, { graph }, cut) };
}

const model = { type: "rsage", options: { numLayers: 2, hiddenFeats: 8 } };
const training = { task: { target: "label" }, model, sampling: { type: "full" }, features: { transforms: [] } };

/** Edges of each relation once, by rows of nodes. */
function edgesOf(relation: string) {
  const pairs = relation.endsWith("writes")
    ? writes.map(([a, p]) => [a, rowOfPaper(p)] as const)
    : cites.map(([from, to]) => [rowOfPaper(from), rowOfPaper(to)] as const);
  const [src, dst] = [pairs.map(([from]) => from), pairs.map(([, to]) => to)];
  return relation.startsWith("rev_") ? { src: dst, dst: src } : { src, dst };
}

it("a served explanation on typed edges is that of the library, on the same graph made without the artifact", async () => {
  const cut = await typedGraph(featureColumns(["age"]));
  const artifact = await trained(cut, training);
  const { open } = await served(cut, artifact);
  const { relations } = open;
  expect(relations.toSorted()).toEqual(["cites", "rev_cites", "rev_writes", "writes"]);
  expect(open.featureNames).toEqual(["author: age", "paper: x", "paper: y"]);

  const numNodes = numAuthors + numPapers;
  const graph = await graphFromRelations({
    numNodes,
    relations: Object.fromEntries(relations.map((name) => [name, edgesOf(name)])),
  });
  const codes = Int32Array.from({ length: numNodes }, (_, node) => (node < numAuthors ? 0 : 1));
  const columns = [
    { first: 0, dim: 1 },
    { first: 1, dim: 2 },
  ];
  const nodeTypes = { names: ["author", "paper"], codes, columns };
  const info = readModelInfo(artifact);
  const { trained: built } = await appliedModel(artifact, info, await loadRegistry([]), { nodeTypes });
  const rows = Array.from({ length: numNodes }, (_, node) =>
    node < numAuthors ? [age(node), 0, 0] : [0, ...words(node - numAuthors)],
  );
  const features = new DenseFeatureStore(3, [Float32Array.from(rows.flat())]);
  const options = { steps: 20, seed: 3, topEdges: 3, topFeatures: 1 };
  const paper = rowOfPaper(4);
  const expected = await explainNode({ model: built, graph, features }, paper, options);
  const found = await open.explain(paper, { ...options, signal: new AbortController().signal });
  expect(found.target).toBe(expected.target);
  expect(found.edges.length).toBeGreaterThan(5);
  const told = ({ edges }: typeof found) => edges.map(({ src, dst, relation }) => [src, dst, relation]);
  expect(told(found)).toEqual(told(expected));
  for (const [i, { weight }] of found.edges.entries()) expect(weight).toBeCloseTo(expected.edges[i]!.weight, 5);
  expect(found.fidelityPlus).toBeCloseTo(expected.fidelityPlus, 5);
  for (const { src, dst, relation } of found.edges) {
    const { src: from, dst: to } = edgesOf(relations[relation!]!);
    expect(from.some((each, i) => each === src && to[i] === dst)).toBe(true);
  }
  built.dispose();
  open.retire();
});

it("a served explanation of a model with learned rows is that of the library on its parts", async () => {
  const cut = await typedGraph(null);
  const artifact = await trained(cut, training);
  const { open } = await servedOn(cut, artifact);
  const { graph, features, info } = loadParts(cut.parts);
  const { trained: built } = await appliedModel(artifact, readModelInfo(artifact), await loadRegistry([]), graph);
  const { values: nodes } = await readNpy(join(cut.parts.dir, "node_map.npy"), "int32");
  const options = { steps: 20, seed: 3 };
  const paper = rowOfPaper(4);
  const found = await open.explain(paper, { ...options, signal: new AbortController().signal });
  const expected = await explainNode({ model: built, graph, features: features! }, nodes.indexOf(paper), options);
  expect(info.numNodes).toBe(numAuthors + numPapers);
  expect(found.target).toBe(expected.target);
  expect(found.probability).toBeCloseTo(expected.probability, 5);
  const ends = ({ edges }: typeof found, idOf: (node: number) => number) =>
    edges.map(({ src, dst, relation }) => `${idOf(src)} ${idOf(dst)} ${relation}`).toSorted();
  expect(ends(found, (node) => node)).toEqual(ends(expected, (node) => nodes[node]!));
  built.dispose();
  open.retire();
});

it("an explanation of a new node has the same bits while nodes of another type are asked about", async () => {
  const cut = await typedGraph(featureColumns(["age"]));
  const { open, rowOf, infer } = await servedOn(cut, await trained(cut, training));
  const paper: NewNode = {
    id: "new paper",
    type: "paper",
    features: { x: 0.5, y: 1 },
    edges: [
      { relation: "writes", from: "a3" },
      { relation: "cites", to: "p2" },
    ],
  };
  const author = { id: "new author", type: "author", features: { age: 0.5 }, edges: [] };
  const options = { steps: 20, seed: 3, maxEdges: 1000, signal: new AbortController().signal };
  const explain = () => open.explainNew([paper], 0, rowOf, options);
  const { outputs } = await infer([paper]);
  const powers = Array.from(outputs, Math.exp);
  const alone = await explain();
  const share = (powers[alone.target] as number) / powers.reduce((sum, power) => sum + power, 0);
  expect(alone.probability).toBeCloseTo(share, 6);
  expect(alone.edges.some(({ src, dst }) => src === 3 && dst === open.numKnown)).toBe(true);
  const done = new AbortController();
  const explained = explain().finally(() => done.abort());
  while (!done.signal.aborted) await infer([author]);
  const beside = await explained;
  expect(beside).toEqual(alone);
  open.retire();
});
