import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import type { ArtifactDir, StepEvent } from "../../src/index.ts";
import { readNpy } from "../../src/io/npy.ts";
import { readPairs } from "../../src/links/links-artifact.ts";
import { bucketOf, findInBucket } from "../../src/spec/neighbor-lookup.ts";
import { type RecommendedInfo, recommendedInfo } from "../../src/spec/result-info.ts";
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

const [numPapers, numAuthors, numSubjects] = [30, 20, 8];
const range = (count: number) => Array.from({ length: count }, (_, i) => i);
/** Every paper has two authors and one subject. */
const writtenBy = range(numPapers).flatMap((i) => [`p${i},a${i % numAuthors}`, `p${i},a${(i * 3 + 1) % numAuthors}`]);
const about = range(numPapers).map((i) => `p${i},s${i % numSubjects}`);
const files = {
  "papers.csv": `id,year\n${range(numPapers)
    .map((i) => `p${i},${i % 7}`)
    .join("\n")}\n`,
  "authors.csv": `id,age\n${range(numAuthors)
    .map((i) => `a${i},${i % 5}`)
    .join("\n")}\n`,
  "subjects.csv": `id\n${range(numSubjects)
    .map((i) => `s${i}`)
    .join("\n")}\n`,
  "written.csv": `src,dst\n${writtenBy.join("\n")}\n`,
  "about.csv": `src,dst\n${about.join("\n")}\n`,
};
const relation = (name: string, target: string, file: string) => ({
  source: "paper",
  name,
  target,
  files: [file],
  src: "src",
  dst: "dst",
});
const spec = {
  nodeTypes: {
    paper: { files: ["papers.csv"], id: "id", features: { columns: ["year"] } },
    author: { files: ["authors.csv"], id: "id", features: { columns: ["age"] } },
    subject: { files: ["subjects.csv"], id: "id" },
  },
  relations: [relation("written_by", "author", "written.csv"), relation("about", "subject", "about.csv")],
};
const task = { type: "linkPrediction", split: { type: "random", val: 0.1, test: 0.2 }, dim: 8, newNeighbors: 3 };
const trainOptions = {
  task,
  model: { type: "rsage", options: { hiddenFeats: 8, numLayers: 2, dropout: 0 } },
  sampling: { type: "full" },
  train: { epochs: 3, batchSize: 16 },
};

let graph: ArtifactDir;
let links: ArtifactDir;
let parts: ArtifactDir;
let model: ArtifactDir;
const events: StepEvent[] = [];

beforeAll(async () => {
  graph = await runStep(ingestStep, { files: await filesArtifact(files) }, spec);
  links = await runStep(splitLinksStep, { graph }, { split: task.split });
  const partition = { partition: { type: "random", options: { numParts: 2 } }, edges: "messages" };
  parts = await runStep(partitionStep, { graph, links }, partition);
  model = await runStepRanks(trainStep, { parts, links }, trainOptions, {
    worldSize: 1,
    onEvent: (event) => events.push(event),
  });
});

/** The nodes are authors, papers, subjects in this order. */
const typeOf = (node: number) => (node < numAuthors ? "author" : node < numAuthors + numPapers ? "paper" : "subject");

test("kept pairs without a link join what their link joins", () => {
  const typesOf = (name: "val" | "test-negatives" | "test" | "val-negatives") => {
    const { src, dst } = readPairs(links, name);
    return Array.from(src, (from, i) => `${typeOf(from)} ${typeOf(dst[i]!)}`);
  };
  expect(links.manifest.info["nodeTypes"]).toEqual(["author", "paper", "subject"]);
  for (const side of ["val", "test"] as const) {
    expect(typesOf(`${side}-negatives`)).toEqual(typesOf(side));
    expect(typesOf(side).some((types) => types === "author subject")).toBe(false);
  }
});

test("two ranks tell the losses that one does", async () => {
  const lossesOf = (of: readonly StepEvent[]) =>
    of.flatMap((event) => (event.type === "metrics" ? [event.values["train/loss"] ?? []].flat() : []));
  const ofTwo: StepEvent[] = [];
  await runStepRanks(trainStep, { parts, links }, trainOptions, { onEvent: (event) => ofTwo.push(event) });
  const expected = lossesOf(events);
  expect(expected.length).toBeGreaterThan(0);
  lossesOf(ofTwo).forEach((loss, i) => expect(loss).toBeCloseTo(expected[i]!, 5));
});

/** Share of all pairs of a link and another pair in which the link scores higher; a tie counts half. */
function areaUnder(links: Float32Array, others: Float32Array): number {
  const wins = Array.from(links, (link) =>
    others.reduce((sum, other) => sum + (link > other ? 1 : link === other ? 0.5 : 0), 0),
  );
  return wins.reduce((sum, won) => sum + won, 0) / (links.length * others.length);
}

/** The scores that were written, told apart by the types of their ends: each relation here has types of its own. */
async function expectFiguresByRelation(info: RecommendedInfo, { dir }: ArtifactDir): Promise<void> {
  const [pairs, sides, scores] = [
    (await readNpy(join(dir, "pairs.npy"), "int32")).values,
    (await readNpy(join(dir, "pair-sides.npy"), "int8")).values,
    (await readNpy(join(dir, "pair-scores.npy"), "float32")).values,
  ];
  const scoresOf = (side: number, target: string) => {
    const isOf = (i: number) => [typeOf(pairs[2 * i]!), typeOf(pairs[2 * i + 1]!)].includes(target);
    return scores.filter((_, i) => sides[i] === side && isOf(i));
  };
  const expected = [
    { relations: ["rev_written_by", "written_by"], target: "author" },
    { relations: ["about", "rev_about"], target: "subject" },
  ];
  const found = info.byRelation.map((each) => ({ ...each, relations: each.relations.toSorted() }));
  expect(found.map(({ relations }) => relations)).toEqual(expected.map(({ relations }) => relations));
  for (const [i, { target }] of expected.entries()) {
    const { numLinks, metrics } = found[i]!;
    const [val, test] = [scoresOf(2, target), scoresOf(3, target)];
    expect(numLinks).toEqual({ val: val.length, test: test.length });
    expect(test.length).toBeGreaterThan(0);
    expect(metrics["test/auc"]).toBeCloseTo(areaUnder(test, scoresOf(-3, target)), 6);
  }
}

test("new neighbours are of the types that relations lead to, each with its own ranks, by the user's ids", async () => {
  const inferred = await runStepRanks(inferStep, { parts, model }, {});
  const remapped = await runStep(remapStep, { graph, parts, inferred }, {});
  const recommended = await runStep(recommendStep, { graph, links, model, remapped }, {});
  const exported = await runStep(exportStep, { graph, remapped, recommended }, { predictions: { formats: ["csv"] } });
  const info = recommendedInfo.parse(recommended.manifest.info);
  expect(info).toMatchObject({ perNode: 6, perType: 3 });
  expect(info.reached).toEqual([
    { source: "author", target: "paper", relations: ["rev_written_by"] },
    { source: "paper", target: "author", relations: ["written_by"] },
    { source: "paper", target: "subject", relations: ["about"] },
    { source: "subject", target: "paper", relations: ["rev_about"] },
  ]);
  await expectFiguresByRelation(info, recommended);
  const [head, ...lines] = (await readFile(join(exported.dir, "predictions.csv"), "utf8")).trim().split("\n");
  expect(head).toBe("id,rank,neighbor,score,type,relations");
  const rows = lines.map((line) => line.split(","));
  const linked = new Set([...writtenBy, ...about].flatMap((row) => [row, row.split(",").toReversed().join(",")]));
  expect(rows.filter(([id, , neighbor]) => linked.has(`${id},${neighbor}`))).toEqual([]);
  const { values, shape } = await readNpy(join(remapped.dir, "embeddings.npy"), "float32");
  const dim = shape[1]!;
  const ids = [["a", numAuthors] as const, ["p", numPapers] as const, ["s", numSubjects] as const].flatMap(
    ([letter, count]) => range(count).map((i) => `${letter}${i}`),
  );
  const scoreOf = (a: number, b: number) =>
    range(dim).reduce((sum, d) => sum + values[a * dim + d]! * values[b * dim + d]!, 0);
  for (const [node, id] of ids.entries()) {
    for (const { target, relations } of info.reached.filter(({ source }) => source === typeOf(node))) {
      const others = [...ids.keys()].filter((other) => typeOf(other) === target && !linked.has(`${id},${ids[other]}`));
      const best = others.map((other) => scoreOf(node, other)).toSorted((a, b) => b - a);
      const found = rows.filter(([of, , , , type]) => of === id && type === target);
      expect(found.map(([, rank, , , , by]) => `${rank} ${by}`)).toEqual(
        [1, 2, 3].map((rank) => `${rank} ${relations.join()}`),
      );
      found.forEach(([, , , score], rank) => expect(Number(score)).toBeCloseTo(best[rank]!, 4));
    }
  }
  const text = await readFile(join(recommended.dir, "lists.jsonl"), "utf8");
  const offsets = (await readNpy(join(recommended.dir, "lists-offsets.npy"), "int64")).values;
  const bucket = bucketOf("p7", info.numBuckets);
  const list = findInBucket(text.slice(Number(offsets[bucket]), Number(offsets[bucket + 1])), "p7") ?? [];
  expect(list.map(([, score]) => score)).toEqual(list.map(([, score]) => score).toSorted((a, b) => b - a));
  for (const [id, , at] of list) expect(info.reached[at!]!.target).toBe(typeOf(ids.indexOf(id)));
  expect(list).toHaveLength(6);
});
