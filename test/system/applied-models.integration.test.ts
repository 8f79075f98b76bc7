import { describe, expect, it } from "vitest";
import { plantedEdges } from "../../packages/gnn-core/test/edges/support/planted-edges.ts";
import { seededRandom } from "../../packages/gnn-core/test/support/seeded-random.ts";
import { ringTables } from "../../packages/gnn-core/test/whole-graphs/support/rings.ts";
import { AppliedWorld, type Row } from "../support/applied-world.ts";
import type { JobState } from "../support/client.ts";
import { downloadParquet } from "../support/parquet.ts";

describe("a model that has learnt on one version of a dataset, applied to the next", () => {
  const world = AppliedWorld.begin();
  const metricsOf = (job: JobState, kind: string) =>
    job.artifacts.find((artifact) => artifact.kind === kind)!.info["metrics"] as Record<string, number | null>;

  it("whole graphs: the graphs of tomorrow by the classes of today, and the same figures on those of today", async () => {
    const edges = { files: ["edges.csv"], src: "src", dst: "dst", graph: "graph" };
    const nodes = {
      files: ["nodes.csv"],
      id: "node",
      graph: "graph",
      features: { columns: [], oneHot: ["kind"] },
    };
    const known = { files: ["graphs.csv"], id: "graph", label: "class", fold: "fold" };
    const dataset = await world.versionOf(ringTables(48), { edges, nodes, graphs: known });
    const spec = {
      task: { type: "graphClassification", target: "class", dim: 16, hiddenFeats: 16, testFold: "0" },
      features: { transforms: ["standardize"] },
      model: { type: "gin", options: { hiddenFeats: 16, numLayers: 2 } },
      train: { epochs: 5, batchSize: 8 },
      outputs: { model: "rings" },
    };
    const trained = await world.succeeded({ dataset, ...spec });
    const unlabelled = { edges, nodes, graphs: { files: ["graphs.csv"], id: "graph" } };
    await world.versionOf(ringTables(60, 4), unlabelled, dataset);

    const applied = await world.succeeded({ kind: "infer", model: "rings", dataset, resources: { ranks: 2 } });
    const rows = await world.predictionsOf(applied);
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 60 }, (_, g) => `g${g}`));
    expect(Object.keys(rows[0]!)).toEqual(["id", "split", "label", "predicted", "confidence", "p_chords", "p_plain"]);
    expect(rows.every(({ label }) => label === null)).toBe(true);
    expect(await downloadParquet(world.client, "embeddings", applied.id)).toHaveLength(60);

    const again = await world.succeeded({ kind: "infer", model: "rings", dataset: `${dataset}@1` });
    expect(await world.predictionsOf(again)).toEqual(await world.predictionsOf(trained));
    expect(metricsOf(again, "remapped")["test/accuracy"]).toBeCloseTo(metricsOf(trained, "model")["test/accuracy"]!, 6);

    const few = world.client.submit({ kind: "infer", model: "rings", dataset, resources: { ranks: 61 } });
    await expect(few).rejects.toThrow(/There are 60 graphs for 61 ranks; ask for fewer/);
    const start = { dataset: `${dataset}@1`, ...spec, startFrom: { model: "rings" } };
    await expect(world.client.submit(start)).rejects.toThrow(/startFrom/);
    const one = await world.versionOf(
      { "edges.csv": "src,dst\na,b\nb,c\n" },
      { edges: { files: ["edges.csv"], src: "src", dst: "dst" } },
    );
    await expect(world.client.submit({ kind: "infer", model: "rings", dataset: one })).rejects.toThrow(
      /^\/dataset: The model learnt whole graphs, and the dataset is one graph/,
    );
  });

  it("labels of edges: tomorrow's edges without a label, among nodes that are new", async () => {
    const [first, later] = [plantedEdges(), plantedEdges(70, 800)];
    const spec = {
      edges: { files: ["edges.csv"], src: "from", dst: "to", features: ["amount"], label: "kind" },
      nodes: { files: ["nodes.csv"], id: "id", features: { columns: ["x", "y"] } },
      directed: true,
    };
    const tablesOf = ({ nodes, edges }: { nodes: string; edges: string }) => ({
      "nodes.csv": nodes,
      "edges.csv": edges,
    });
    const dataset = await world.versionOf(tablesOf(first), spec);
    const trained = await world.succeeded({
      dataset,
      task: { type: "edgeClassification", target: "kind", dim: 8, hiddenFeats: 8 },
      model: { type: "sage", options: { hiddenFeats: 8, numLayers: 1, dropout: 0 } },
      sampling: { type: "full" },
      train: { epochs: 4, batchSize: 64 },
      outputs: { model: "payments" },
    });
    const bare = { ...later, edges: later.edges.replaceAll(/,(alike|unlike),/g, ",,") };
    await world.versionOf(tablesOf(bare), spec, dataset);
    const rows = await world.predictionsOf(
      await world.succeeded({ kind: "infer", model: "payments", dataset, resources: { ranks: 2 } }),
    );
    const ends = bare.edges.trim().split("\n").slice(1);
    expect(rows.map(({ source, target }) => [source, target].join(","))).toEqual(
      ends.map((line) => line.split(",").slice(0, 2).join(",")),
    );
    expect(
      rows.every(({ label, predicted }) => label === null && ["alike", "unlike"].includes(String(predicted))),
    ).toBe(true);

    const scores = (of: Row[]) => of.map(({ p_alike: alike }) => alike);
    const again = await world.succeeded({ kind: "infer", model: "payments", dataset: `${dataset}@1` });
    expect(scores(await world.predictionsOf(again))).toEqual(scores(await world.predictionsOf(trained)));
    const { label: _, ...unmapped } = spec.edges;
    const other = await world.versionOf(tablesOf(first), { ...spec, edges: unmapped });
    await expect(world.client.submit({ kind: "infer", model: "payments", dataset: other })).rejects.toThrow(
      /^\/dataset: The model learnt labels of edges, and the dataset has none/,
    );
  });

  it("links: rows and new neighbours of nodes that came later, and the training's own where the dataset parts its links", async () => {
    const random = seededRandom(5);
    const nodesOf = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => `n${from + i},${(from + i) % 2 ? 1 : -1},${random().toFixed(3)}`);
    /** Links between nodes of the same parity */
    const linksOf = (from: number, to: number, count: number) =>
      Array.from({ length: count }, (_, i) => {
        const a = from + Math.floor(random() * (to - from));
        const b = (a + 2 * (1 + Math.floor(random() * (to / 2 - 1)))) % to;
        return `n${a},n${b},${["train", "train", "train", "val", "test"][i % 5]}`;
      });
    const first = { nodes: nodesOf(0, 60), links: linksOf(0, 60, 240) };
    const tables = ({ nodes, links }: typeof first) => ({
      "nodes.csv": `id,x,y\n${nodes.join("\n")}\n`,
      "links.csv": `a,b,side\n${links.join("\n")}\n`,
    });
    const spec = {
      edges: { files: ["links.csv"], src: "a", dst: "b", split: "side" },
      nodes: { files: ["nodes.csv"], id: "id", features: { columns: ["x", "y"] } },
      duplicates: "drop",
    };
    const dataset = await world.versionOf(tables(first), spec);
    const trained = await world.succeeded({
      dataset,
      task: { type: "linkPrediction", dim: 8, newNeighbors: 3, split: { type: "given" } },
      features: { transforms: ["standardize"] },
      model: { type: "sage", options: { hiddenFeats: 8, numLayers: 2, dropout: 0 } },
      sampling: { type: "full" },
      train: { epochs: 4, batchSize: 64 },
      outputs: { model: "friends" },
    });
    const again = await world.succeeded({ kind: "infer", model: "friends", dataset });
    expect(await downloadParquet(world.client, "embeddings", again.id)).toEqual(
      await downloadParquet(world.client, "embeddings", trained.id),
    );
    expect(await world.predictionsOf(again)).toEqual(await world.predictionsOf(trained));

    // A version without sides: all links carry messages, and all are known.
    const later = { nodes: [...first.nodes, ...nodesOf(60, 70)], links: [...first.links, ...linksOf(60, 70, 30)] };
    const { split: _, ...edges } = spec.edges;
    await world.versionOf(tables(later), { ...spec, edges }, dataset);
    const applied = await world.succeeded({ kind: "infer", model: "friends", dataset, resources: { ranks: 2 } });
    const rows = await downloadParquet(world.client, "embeddings", applied.id);
    expect(rows.map(({ id }) => id)).toEqual(later.nodes.map((line) => line.split(",")[0]));
    const { neighbors } = await world.client.api.call("GET /v1/jobs/:id/new-neighbors", {
      params: { id: applied.id },
      query: { node: "n65" },
    });
    expect(neighbors).toEqual(bestOfAll(rows, "n65", later.links).slice(0, 3));
  });

  it("links by learned rows: those of known nodes as they were, and later nodes named, which are near to none", async () => {
    const links = Array.from({ length: 90 }, (_, i) => `u${i % 15},u${(i * 4 + 1 + Math.floor(i / 15)) % 15}`);
    const spec = { edges: { files: ["links.csv"], src: "a", dst: "b" } };
    const table = (rows: readonly string[]) => ({ "links.csv": `a,b\n${rows.join("\n")}\n` });
    const dataset = await world.versionOf(table(links), spec);
    const trained = await world.succeeded({
      dataset,
      task: { type: "linkPrediction", dim: 8, newNeighbors: 2 },
      features: { embedding: { dim: 8 } },
      model: { type: "shallow" },
      train: { epochs: 3, batchSize: 32 },
      outputs: { model: "circle" },
    });
    await world.versionOf(table([...links, "u0,late"]), spec, dataset);
    const applied = await world.succeeded({ kind: "infer", model: "circle", dataset });
    const rowsOf = async (job: JobState) =>
      new Map((await downloadParquet(world.client, "embeddings", job.id)).map(({ id, embedding }) => [id, embedding]));
    const [before, now] = [await rowsOf(trained), await rowsOf(applied)];
    expect(now.get("late")).toEqual(Array(8).fill(0));
    now.delete("late");
    expect(now).toEqual(before);
    const { learnedRows } = await world.client.api.call("GET /v1/jobs/:id", { params: { id: applied.id } });
    expect(learnedRows).toMatchObject({ known: 15, unseen: 1, unseenIds: ["late"] });
    const proposals = await world.predictionsOf(applied);
    expect(proposals.filter(({ id }) => id === "u3")).toHaveLength(2);
  });
});

/** The likeliest new neighbours by the product of their rows, one after the other */
function bestOfAll(rows: readonly Row[], node: string, links: readonly string[]) {
  const vectors = new Map(rows.map(({ id, ...columns }) => [String(id), Object.values(columns).flat().map(Number)]));
  const known = new Set(
    links.flatMap((line) => [line.split(",").slice(0, 2), line.split(",").slice(0, 2).toReversed()].map(String)),
  );
  const own = vectors.get(node)!;
  return [...vectors]
    .filter(([id]) => id !== node && !known.has(`${node},${id}`))
    .map(([id, row]) => ({ id, score: row.reduce((sum, x, i) => sum + x * own[i]!, 0) }))
    .toSorted((a, b) => b.score - a.score)
    .map(({ id, score }) => ({ id, score: expect.closeTo(score, 4), type: null, relations: [] }));
}
