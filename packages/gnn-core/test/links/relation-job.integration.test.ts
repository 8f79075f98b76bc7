import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import type { ArtifactDir, StepEvent } from "../../src/index.ts";
import { readNpy } from "../../src/io/npy.ts";
import { readSafetensors } from "../../src/io/safetensors.ts";
import { readPairs } from "../../src/links/links-artifact.ts";
import { linksInfo } from "../../src/spec/links-info.ts";
import { bucketOf, findInBucket } from "../../src/spec/neighbor-lookup.ts";
import { recommendedInfo } from "../../src/spec/result-info.ts";
import { exportStep } from "../../src/steps/export.step.ts";
import { inferStep } from "../../src/steps/infer.step.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { recommendStep } from "../../src/steps/recommend.step.ts";
import { remapStep } from "../../src/steps/remap.step.ts";
import { splitLinksStep } from "../../src/steps/split-links.step.ts";
import { trainStep } from "../../src/steps/train.step.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";
import { runStepRanks } from "../support/run-step-ranks.ts";

// Some seconds of work in all, which a machine with other work may stretch.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const numPlaces = 30;
const groups = 5;
const relations = ["same", "next"];
/**
 * Places of five groups: `same` joins those of one, `next` leads to the group after it, and neither tells of the other.
 */
function facts(): string[] {
  const rows: string[] = [];
  for (let a = 0; a < numPlaces; a++) {
    for (let b = 0; b < numPlaces; b++) {
      const apart = (b - a + numPlaces) % groups;
      if (a !== b && apart < relations.length && (a * 7 + b * 3) % 4 !== 0) {
        rows.push(
          `p${a},${relations[apart]},p${b},${(a * 11 + b * 5) % 9 === 0 ? "test" : (a + b) % 10 === 0 ? "val" : "train"}`,
        );
      }
    }
  }
  return rows;
}

const task = {
  type: "linkPrediction",
  split: { type: "given" },
  relations: "each",
  rankAmong: "allNodes",
  decoder: { type: "complEx" },
  loss: { type: "softmax" },
  negatives: { perLink: 8 },
  dim: 16,
  newNeighbors: 4,
};
const trainOptions = {
  task,
  features: { embedding: { dim: 16, optimizer: { type: "sparseAdam", options: { lr: 0.1 } } } },
  model: { type: "mlp", options: { numLayers: 1, dropout: 0 } },
  sampling: { type: "full" },
  train: {
    epochs: 12,
    batchSize: 128,
    optimizer: { options: { lr: 0.05 } },
    evaluate: { everyEpochs: 4 },
    earlyStopping: { metric: "val/filteredMrr", patience: 10 },
  },
};

let graph: ArtifactDir;
let links: ArtifactDir;
let parts: ArtifactDir;
let model: ArtifactDir;
const events: StepEvent[] = [];

async function prepared(split: object) {
  const made = await runStep(splitLinksStep, { graph }, split);
  const partition = { partition: { type: "random", options: { numParts: 2 } }, edges: "messages" };
  return { links: made, parts: await runStep(partitionStep, { graph, links: made }, partition) };
}

beforeAll(async () => {
  const files = await filesArtifact({ "facts.csv": `src,rel,dst,split\n${facts().join("\n")}\n` });
  const edges = { files: ["facts.csv"], src: "src", dst: "dst", type: "rel", split: "split" };
  graph = await runStep(ingestStep, { files }, { edges, directed: true });
  ({ links, parts } = await prepared({ split: task.split, relations: task.relations }));
  model = await runStepRanks(trainStep, { parts, links }, trainOptions, {
    worldSize: 1,
    onEvent: (event) => events.push(event),
  });
});

function valuesOf(found: readonly StepEvent[], name: string): number[] {
  return found.flatMap((event) => (event.type === "metrics" ? [event.values[name] ?? []].flat() : []));
}

test("the split keeps the relation of every link, each as the file says", () => {
  const info = linksInfo.parse(links.manifest.info);
  expect(info.relations.toSorted()).toEqual(relations.toSorted());
  const rows = facts().map((row) => row.split(","));
  const held = readPairs(links, "test");
  expect(held.relations).toHaveLength(rows.filter(([, , , split]) => split === "test").length);
  const same = info.relations.indexOf("same");
  const expected = rows.filter(([, rel, , split]) => split === "test" && rel === "same").length;
  expect([...held.relations!].filter((relation) => relation === same)).toHaveLength(expected);
});

test("a model that is told the relations ranks the right end above what nobody could who is not", () => {
  const metrics = model.manifest.info["metrics"] as Record<string, number>;
  expect(metrics["test/filteredMrr"]).toBeGreaterThan(blindMrr() + 0.1);
  expect(metrics["test/filteredHits@10"]).toBeGreaterThan(0.9);
});

/** The filtered MRR of one who knows all groups and not which relation is asked for: what either joins are equals. */
function blindMrr(): number {
  const rows = facts().map((row) => row.split(","));
  const isKnown = new Set(rows.map(([from, relation, to]) => `${from} ${relation} ${to}`));
  const numberOf = (name: string | undefined) => Number(name!.slice(1));
  const isJoined = (from: number, to: number) => (to - from + numPlaces) % groups < relations.length;
  const inverses = rows
    .filter(([, , , split]) => split === "test")
    .flatMap(([source, relation, target]) => {
      const [from, to] = [numberOf(source), numberOf(target)];
      const others = Array.from({ length: numPlaces }, (_, place) => place).filter(
        (place) => place !== from && place !== to,
      );
      const tails = others.filter((place) => isJoined(from, place) && !isKnown.has(`p${from} ${relation} p${place}`));
      const heads = others.filter((place) => isJoined(place, to) && !isKnown.has(`p${place} ${relation} p${to}`));
      return [1 / (1 + tails.length / 2), 1 / (1 + heads.length / 2)];
    });
  return inverses.reduce((sum, value) => sum + value, 0) / inverses.length;
}

test("two ranks tell the losses and the filtered figures that one does", async () => {
  const found: StepEvent[] = [];
  await runStepRanks(trainStep, { parts, links }, trainOptions, { onEvent: (event) => found.push(event) });
  for (const name of ["train/loss", "val/filteredMrr", "val/filteredHits@3", "val/auc"]) {
    const expected = valuesOf(events, name);
    expect(expected.length).toBeGreaterThan(2);
    valuesOf(found, name).forEach((value, i) => expect(value).toBeCloseTo(expected[i]!, 3));
  }
});

test.each([
  ["each link among all places", { loss: { type: "oneVsAll", labelSmoothing: 0.1 } }],
  ["each link among places that its step shares", { negatives: { type: "shared", perLink: 20 } }],
  ["all targets of a source and relation among all places", { loss: { type: "kVsAll", labelSmoothing: 0.1 } }],
  ["all targets of a source and relation, by softmax", { loss: { type: "kVsAll", each: "softmax" } }],
] as const)("%s: that is learnt as well, and two ranks tell what one does", async (_what, learnt) => {
  const changed = { ...trainOptions, task: { ...task, ...learnt } };
  const [one, two]: StepEvent[][] = [[], []];
  await runStepRanks(trainStep, { parts, links }, changed, { worldSize: 1, onEvent: (event) => one!.push(event) });
  await runStepRanks(trainStep, { parts, links }, changed, { onEvent: (event) => two!.push(event) });
  const losses = valuesOf(one!, "train/loss");
  expect(losses.at(-1)).toBeLessThan(losses[0]! - 0.5);
  expect(valuesOf(one!, "val/filteredMrr").at(-1)).toBeGreaterThan(blindMrr());
  valuesOf(two!, "train/loss").forEach((loss, epoch) => expect(loss).toBeCloseTo(losses[epoch]!, 3));
});

test("new neighbours come with the relation in which they score best, and held-out links have figures by it", async () => {
  const inferred = await runStepRanks(inferStep, { parts, model }, {});
  const remapped = await runStep(remapStep, { graph, parts, inferred }, {});
  const recommended = await runStep(recommendStep, { graph, links, model, remapped }, {});
  const exported = await runStep(exportStep, { graph, remapped, recommended }, { predictions: { formats: ["csv"] } });
  const info = recommendedInfo.parse(recommended.manifest.info);
  const told = model.manifest.info["metrics"] as Record<string, number>;
  for (const [name, value] of Object.entries(info.metrics)) expect(value).toBeCloseTo(told[name]!, 5);
  expect(info.byRelation.flatMap((each) => each.relations).toSorted()).toEqual(["next", "same"]);
  expect(info.reached.flatMap((each) => each.relations).toSorted()).toEqual(["next", "same"]);

  const csv = (await readFile(join(exported.dir, "predictions.csv"), "utf8")).trim().split("\n");
  expect(csv[0]).toBe("id,rank,neighbor,score,type,relations");
  const rows = csv.slice(1).map((line) => line.split(","));
  expect(rows).toHaveLength(numPlaces * task.newNeighbors);
  const linked = new Set(facts().map((row) => `${row.split(",")[0]} ${row.split(",")[2]}`));
  const score = await complExScores(
    remapped,
    info.reached.map(({ relations: [name] }) => name!),
  );
  for (const [id, , neighbor, found, , relation] of rows) {
    expect(linked.has(`${id} ${neighbor}`)).toBe(false);
    const scores = score(Number(id!.slice(1)), Number(neighbor!.slice(1)));
    expect(Number(found)).toBeCloseTo(Math.max(...Object.values(scores)), 3);
    expect(scores[relation!]).toBeCloseTo(Number(found), 3);
  }
  const text = await readFile(join(recommended.dir, "lists.jsonl"), "utf8");
  const offsets = (await readNpy(join(recommended.dir, "lists-offsets.npy"), "int64")).values;
  const bucket = bucketOf("p7", info.numBuckets);
  const near = findInBucket(text.slice(Number(offsets[bucket]), Number(offsets[bucket + 1])), "p7")!;
  const ofNode = rows.filter(([id]) => id === "p7");
  expect(near.map(([id, , at]) => `${id} ${info.reached[at!]!.relations[0]}`).toSorted()).toEqual(
    ofNode.map(([, , neighbor, , , relation]) => `${neighbor} ${relation}`).toSorted(),
  );
});

/** Re ⟨h_u, r, conj(h_v)⟩ of each relation, from the stored weights and rows, by the numbers in the places' names. */
async function complExScores({ dir }: ArtifactDir, names: readonly string[]) {
  const { values: rows } = await readNpy(join(dir, "embeddings.npy"), "float32");
  const { tensors } = await readSafetensors(join(model.dir, "model.safetensors"));
  const weights = tensors.get("decoder.relation")!.values as Float32Array;
  const order = linksInfo.parse(links.manifest.info).relations;
  const ids = await placesInOrder();
  const half = task.dim / 2;
  const part = (values: Float32Array, row: number, k: number) => values[row * task.dim + k]!;
  return (from: number, to: number): Record<string, number> => {
    const [u, v] = [ids.indexOf(`p${from}`), ids.indexOf(`p${to}`)];
    const one = (name: string) => {
      const r = order.indexOf(name);
      let sum = 0;
      for (let k = 0; k < half; k++) {
        const [a, b] = [part(rows, u, k), part(rows, u, k + half)];
        const [c, d] = [part(weights, r, k), part(weights, r, k + half)];
        sum += (a * c - b * d) * part(rows, v, k) + (a * d + b * c) * part(rows, v, k + half);
      }
      return sum;
    };
    return Object.fromEntries(names.map((name) => [name, one(name)]));
  };
}

async function placesInOrder(): Promise<string[]> {
  const bytes = (await readNpy(join(graph.dir, "nodes/ids/bytes.npy"), "uint8")).values;
  const offsets = (await readNpy(join(graph.dir, "nodes/ids/offsets.npy"), "int64")).values;
  const text = (from: bigint, to: bigint) => Buffer.from(bytes.subarray(Number(from), Number(to))).toString();
  return Array.from({ length: offsets.length - 1 }, (_, i) => text(offsets[i]!, offsets[i + 1]!));
}

test("a metric that is not counted does not choose the epoch", async () => {
  const changed = { ...task, rankAmong: "negatives" };
  await expect(
    runStepRanks(trainStep, { parts, links }, { ...trainOptions, task: changed }, { worldSize: 1 }),
  ).rejects.toMatchObject({
    code: "SPEC_INVALID",
    place: { pointer: "/train/earlyStopping/metric" },
    message: expect.stringContaining("rankAmong"),
  });
});

test("relations of a graph that has none are refused with their place", async () => {
  const files = await filesArtifact({ "edges.csv": "src,dst\na,b\nb,c\nc,d\n" });
  const plain = await runStep(ingestStep, { files }, { edges: { files: ["edges.csv"], src: "src", dst: "dst" } });
  await expect(
    runStep(splitLinksStep, { graph: plain }, { split: { type: "random" }, relations: "each" }),
  ).rejects.toMatchObject({ code: "SPEC_INVALID", place: { pointer: "/task/relations" } });
});
