import { describe, expect, it } from "vitest";
import { explainNode } from "../../src/explain/explain-node.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import type { NewNode } from "../../src/serving/new-nodes/new-node.ts";
import { ServedModel } from "../../src/serving/served-model.ts";
import { loadRegistry } from "../../src/spec/index.ts";
import { readModelInfo } from "../../src/spec/model-info.ts";
import { appliedModel } from "../../src/train/applied-model.ts";
import {
  expectAsReingested,
  givenWith,
  ingested,
  knownEdges,
  limits,
  numbers,
  numKnown,
  served,
  trained,
} from "./support/grown-graphs.ts";

describe("new nodes", () => {
  const kind = { directed: false, hasWeights: true };
  const gcn = { type: "gcn", options: { numLayers: 2, hiddenFeats: 8 } };
  const train = async (options: object) => {
    const graph = await ingested(kind, false);
    const artifact = await trained(graph, { task: { target: "label" }, sampling: { type: "full" }, ...options });
    return { artifact, ...(await served(graph, artifact)) };
  };

  it.each([
    { name: "gcn on an undirected graph with weights", kind, model: gcn },
    {
      name: "sage on a directed graph",
      kind: { directed: true, hasWeights: false },
      model: { type: "sage", options: { numLayers: 2, hiddenFeats: 8 } },
    },
  ])("get from $name what they get once they are ingested", ({ kind: asked, model }) =>
    expectAsReingested(asked, { model }),
  );

  it("follow the rules of their dataset for repeated edges and self-loops", () =>
    expectAsReingested(kind, { model: gcn }, { duplicates: "keep", selfLoops: "drop" }));

  it("are refused with the place of what does not fit", async () => {
    const { open, infer } = await train({ model: gcn });
    const features = { a: 1, v: [2, 3] };
    const good = { id: "x", features, edges: [{ to: "n1", weight: 1 }] };
    const table: readonly (readonly [NewNode | readonly NewNode[], string, string])[] = [
      [{ ...good, id: "n5" }, "NODE_EXISTS", "/nodes/0/id"],
      [[good, good], "NODE_EXISTS", "/nodes/1/id"],
      [{ ...good, edges: [{ to: "nobody", weight: 1 }] }, "NODE_UNKNOWN", "/nodes/0/edges/0/to"],
      [{ ...good, edges: [{ from: "", weight: 1 }] }, "NODE_UNKNOWN", "/nodes/0/edges/0/from"],
      [{ ...good, edges: [{ from: "n1", to: "n2", weight: 1 }] }, "SPEC_INVALID", "/nodes/0/edges/0"],
      [{ ...good, edges: [{ weight: 1 }] }, "SPEC_INVALID", "/nodes/0/edges/0"],
      [{ ...good, edges: [{ to: "n1" }] }, "SPEC_INVALID", "/nodes/0/edges/0/weight"],
      [{ ...good, edges: [{ to: "n1", weight: Number.NaN }] }, "SPEC_INVALID", "/nodes/0/edges/0/weight"],
      [{ ...good, edges: [{ to: "n1", weight: 1e300 }] }, "SPEC_INVALID", "/nodes/0/edges/0/weight"],
      [{ id: "x" }, "SPEC_INVALID", "/nodes/0/features"],
      [{ ...good, features: [1, 2, 3] }, "SPEC_INVALID", "/nodes/0/features"],
      [{ ...good, features: { a: 1 } }, "SPEC_INVALID", "/nodes/0/features/v"],
      [{ ...good, features: { ...features, "b/c": 1 } }, "SPEC_INVALID", "/nodes/0/features/b~1c"],
      [{ ...good, features: { ...features, ["__proto__"]: 1 } }, "SPEC_INVALID", "/nodes/0/features/__proto__"],
      [{ ...good, features: { ...features, a: Number.NaN } }, "SPEC_INVALID", "/nodes/0/features/a"],
      [{ ...good, features: { ...features, a: null } }, "SPEC_INVALID", "/nodes/0/features/a"],
      [{ ...good, features: { ...features, a: "1" } }, "SPEC_INVALID", "/nodes/0/features/a"],
      [{ ...good, features: { ...features, a: [1] } }, "SPEC_INVALID", "/nodes/0/features/a"],
      [{ ...good, features: { ...features, v: [1, 2, 3] } }, "SPEC_INVALID", "/nodes/0/features/v"],
      [{ ...good, features: { ...features, v: [1, 1e39] } }, "SPEC_INVALID", "/nodes/0/features/v/1"],
    ];
    for (const [nodes, code, pointer] of table) {
      const asked = infer([nodes].flat());
      await expect(asked, pointer).rejects.toMatchObject({ code, place: { pointer } });
    }
    const few = { ...limits, edges: 3 };
    await expect(infer([good], few)).rejects.toMatchObject({ code: "NODE_TOO_COSTLY", place: { pointer: "/nodes" } });
    const narrow = { ...limits, numbers: 3 };
    await expect(infer([good], narrow)).rejects.toMatchObject({ code: "NODE_TOO_COSTLY" });
    open.retire();
  });

  it.each([
    { name: "a learned row for each node", features: { transforms: [], embedding: { dim: 4 } }, says: "embedding" },
    { name: "columns made from the edges", features: { transforms: [], structural: { dim: 4 } }, says: "structural" },
  ])("get no rows of a model with $name", async ({ features, says }) => {
    const graph = await ingested(kind, false);
    const model = { type: "gcn", options: { numLayers: 2 } };
    const artifact = await trained(graph, { task: { target: "label" }, model, sampling: { type: "full" }, features });
    const opened = ServedModel.open({
      graph: graph.graph,
      model: artifact,
      registry: await loadRegistry([]),
      threads: 1,
    });
    await expect(opened).rejects.toMatchObject({ code: "SPEC_INVALID", place: { pointer: "/nodes" } });
    await expect(opened).rejects.toThrow(says);
  });
});

describe("a served explanation", () => {
  const kind = { directed: true, hasWeights: true };

  it("is that of the library, on the same graph made without the artifact", async () => {
    const cut = await ingested(kind, false);
    const model = { type: "gcn", options: { numLayers: 2, hiddenFeats: 8 } };
    const features = { transforms: ["rowNormalize"] };
    const artifact = await trained(cut, { task: { target: "label" }, model, sampling: { type: "full" }, features });
    const { open } = await served(cut, artifact);
    const options = { steps: 20, seed: 3, topEdges: 2, topFeatures: 1 };
    const found = await open.explain(5, { ...options, signal: new AbortController().signal });
    const node = (id: string) => Number(id.slice(1));
    const weights = knownEdges.map(({ weight }) => weight);
    const [src, dst] = [knownEdges.map((edge) => node(edge.src)), knownEdges.map((edge) => node(edge.dst))];
    const graph = await graphFromEdges({ src, dst, weights, numNodes: numKnown });
    const rows = Array.from({ length: numKnown }, (_, i) => {
      const size = numbers(i).reduce((sum, x) => sum + Math.abs(Math.fround(x)), 0);
      return numbers(i).map((x) => Math.fround(x) / size);
    });
    const { trained: built } = await appliedModel(artifact, readModelInfo(artifact), await loadRegistry([]));
    const store = new DenseFeatureStore(3, [Float32Array.from(rows.flat())]);
    const expected = await explainNode({ model: built, graph, features: store }, 5, options);
    expect(found.target).toBe(expected.target);
    expect(found.edges.map(({ src: from, dst: to }) => [from, to])).toEqual(
      expected.edges.map(({ src: from, dst: to }) => [from, to]),
    );
    for (const [i, { weight }] of found.edges.entries()) expect(weight).toBeCloseTo(expected.edges[i]!.weight, 5);
    expect(found.fidelityPlus).toBeCloseTo(expected.fidelityPlus, 5);
    expect(open.featureNames).toEqual(["a", "v[0]", "v[1]"]);
    const again = await open.explain(5, { ...options, signal: new AbortController().signal });
    expect(again).toEqual(found);
    built.dispose();
    open.retire();
  });

  it.each([
    { name: "gcn", model: { type: "gcn", options: { numLayers: 2, hiddenFeats: 8 } } },
    { name: "a model without edges", model: { type: "mlp", options: { numLayers: 2, hiddenFeats: 8 } } },
  ])("of a new node is that of the same node once it is stored: $name", async ({ model }) => {
    const [cut, grown] = [await ingested(kind, false), await ingested(kind, true)];
    const artifact = await trained(cut, { task: { target: "label" }, model, sampling: { type: "full" } });
    const [{ open, lookup }, later] = [await served(cut, artifact), await served(grown, artifact)];
    const signal = new AbortController().signal;
    const options = { steps: 20, seed: 3, topEdges: 2, topFeatures: 1, maxEdges: 10_000, signal };
    const nodes = givenWith(kind);
    for (const [at, { id }] of nodes.entries()) {
      const found = await open.explainNew(nodes, at, (known) => lookup.rowOf(known), options);
      const stored = later.lookup.rowOf(id);
      const expected = await later.open.explain(stored, options);
      // New nodes lie behind the known ones here, and in the later graph as they were read.
      const nameOf = (node: number) => (node < numKnown ? `n${node}` : (nodes[node - numKnown]?.id ?? ""));
      const idOf = (node: number) => (node === stored ? id : later.lookup.idAt(node));
      expect([found.node, found.target], id).toEqual([numKnown + at, expected.target]);
      expect(found.probability, id).toBeCloseTo(expected.probability, 5);
      expect(found.edges.map(({ src, dst }) => `${nameOf(src)} ${nameOf(dst)}`)).toEqual(
        expected.edges.map(({ src, dst }) => `${idOf(src)} ${idOf(dst)}`),
      );
      for (const [i, { weight }] of found.edges.entries()) expect(weight).toBeCloseTo(expected.edges[i]!.weight, 4);
      expect(found.fidelityPlus).toBeCloseTo(expected.fidelityPlus, 4);
    }
    const few = open.explainNew(nodes, 0, (known) => lookup.rowOf(known), { ...options, maxEdges: 1 });
    if (model.type === "gcn") await expect(few).rejects.toMatchObject({ code: "NODE_TOO_COSTLY" });
    for (const one of [open, later.open]) one.retire();
  });

  it("ends between two steps when nobody waits for it any more", async () => {
    const cut = await ingested(kind, false);
    const model = { type: "sage", options: { numLayers: 1 } };
    const { open } = await served(
      cut,
      await trained(cut, { task: { target: "label" }, model, sampling: { type: "full" } }),
    );
    const gone = new AbortController();
    const asked = open.explain(5, { steps: 100_000, signal: gone.signal });
    gone.abort();
    await expect(asked).rejects.toMatchObject({ code: "CANCELLED" });
    open.retire();
  });
});
