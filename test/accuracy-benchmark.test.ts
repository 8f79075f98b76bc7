import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { frequencyBaseline } from "../benchmarks/accuracy/baselines.ts";
import { chooseRows } from "../benchmarks/accuracy/choose-rows.ts";
import { chooseSeeds } from "../benchmarks/accuracy/choose-seeds.ts";
import { commonNeighborsAuc } from "../benchmarks/accuracy/common-neighbors.ts";
import { identityMatrix } from "../benchmarks/accuracy/identity-matrix.ts";
import { judge, spreadOf } from "../benchmarks/accuracy/judge.ts";
import { MadeArtifacts } from "../benchmarks/accuracy/made-artifacts.ts";
import { RecordedRuns } from "../benchmarks/accuracy/recorded-runs.ts";
import { alsoMeasured, detailsOf, judgeAll, lineOf } from "../benchmarks/accuracy/report.ts";
import type { Row } from "../benchmarks/accuracy/row.ts";
import { allRows } from "../benchmarks/accuracy/rows.ts";
import { varyRows } from "../benchmarks/accuracy/vary-rows.ts";
import {
  labelSetsOf,
  partitionStepOptions,
  readNpzCsr,
  splitCode,
  type TrainingData,
  trainStepOptions,
} from "../packages/gnn-core/src/index.ts";
import { filesArtifactIn } from "../packages/gnn-core/test/support/step-runner.ts";

const { train, val, test: testing } = splitCode;

/** Two training, two validation, two test nodes and one of unknown labels; training says: 0 and 2 twice, 1 once. */
function labelled(validation: number[][]): TrainingData {
  const labels = [[0, 2], [0, 1, 2], ...validation, [0], [1, 2], null];
  const split = Int8Array.from([train, train, val, val, testing, testing, testing]);
  return { labelSets: labelSetsOf(labels, 3), split } as unknown as TrainingData;
}

test("the frequency baseline gives every node the labels that validation asks for, most frequent first", () => {
  // k = 1 predicts {0}: validation 2·2/(2+2) = 1; test: 1 hit, 2 predicted, 3 actual.
  expect(frequencyBaseline(labelled([[0], [0]]))).toBeCloseTo((2 * 1) / (2 + 3), 12);
  // k = 2 predicts {0, 2}: 2·4/(4+5) beats {0} with 2·2/(2+5) and all three with 2·5/(6+5) > 8/9, so k = 3.
  expect(
    frequencyBaseline(
      labelled([
        [0, 2],
        [0, 1, 2],
      ]),
    ),
  ).toBeCloseTo((2 * 3) / (6 + 3), 12);
  expect(
    frequencyBaseline(
      labelled([
        [0, 2],
        [0, 2],
      ]),
    ),
  ).toBeCloseTo((2 * 2) / (4 + 3), 12);
});

test("an aim is a number, a distance to another row, or a margin above the best baseline", () => {
  const means = new Map([
    ["full", 0.95],
    ["mlp", 0.7],
    ["frequency", 0.72],
  ]);
  const meanOf = (name: string) => means.get(name)!;
  expect(judge(0.815, { atLeast: 0.805 }, meanOf)).toMatchObject({ aim: 0.805, reached: true });
  expect(judge(0.815, { atLeast: 0.805 }, meanOf).margin).toBeCloseTo(1, 9);
  expect(judge(0.939, { within: 0.01, of: "full" }, meanOf)).toMatchObject({ reached: false });
  expect(judge(0.939, { within: 0.01, of: "full" }, meanOf).margin).toBeCloseTo(-0.1, 9);
  expect(judge(0.75, { above: 0.02, baselines: ["mlp", "frequency"] }, meanOf).margin).toBeCloseTo(1, 9);
});

test("mean and deviation are those of a sample", () => {
  expect(spreadOf([0.8, 0.82, 0.84])).toEqual({ mean: expect.closeTo(0.82, 12), std: expect.closeTo(0.02, 12) });
  expect(spreadOf([0.8])).toEqual({ mean: 0.8, std: 0 });
});

test("a row brings the rows that it is compared with", () => {
  expect(chooseRows(allRows, "amazon-photo-ladies").map(({ name }) => name)).toEqual([
    "amazon-photo-gcn",
    "amazon-photo-ladies",
  ]);
  expect(chooseRows(allRows, "cora").every(({ name }) => name.startsWith("cora"))).toBe(true);
  expect(chooseRows(allRows, "cora")).toHaveLength(11);
  expect(() => chooseRows(allRows, "corra")).toThrow(/--only corra: expected some of cora-gcn/);
});

test("every row has its own name, is a job spec, and is compared with rows there are", () => {
  const names = allRows.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { spec, aim, split } of allRows) {
    expect(trainStepOptions.parse({ ...spec, task: { target: "label", ...spec.task } })).toBeDefined();
    expect(partitionStepOptions.parse({ split })).toBeDefined();
    if (aim && "of" in aim) expect(names).toContain(aim.of);
  }
});

const runOf = (share: number) => ({ test: share, val: null, metrics: {}, epochs: 2, cpuSeconds: 1 });

test("a training that is kept is found by its row, seed and settings, and by nothing else", () => {
  const file = join(temporaryFolder(), "results.jsonl");
  const [row] = allRows as [Row];
  new RecordedRuns(file).add(row, 3, null, runOf(0.8));
  const recorded = new RecordedRuns(file);
  expect(recorded.find(row, 3, null)).toMatchObject(runOf(0.8));
  expect(recorded.find(row, 4, null)).toBeUndefined();
  expect(recorded.find(row, 3, 5)).toBeUndefined();
  expect(recorded.find({ ...row, spec: { ...row.spec, train: { epochs: 3 } } }, 3, null)).toBeUndefined();
  expect(recorded.find({ ...row, name: "another" }, 3, null)).toBeUndefined();
});

test("a training whose line was cut short by a kill counts as not run, and the next one is written whole", () => {
  const file = join(temporaryFolder(), "results.jsonl");
  const [row] = allRows as [Row];
  new RecordedRuns(file).add(row, 0, null, runOf(0.8));
  appendFileSync(file, readFileSync(file, "utf8").slice(0, 40));
  const recorded = new RecordedRuns(file);
  expect(recorded.find(row, 0, null)).toBeDefined();
  recorded.add(row, 1, null, runOf(0.9));
  expect([0, 1].map((seed) => new RecordedRuns(file).find(row, seed, null)?.test)).toEqual([0.8, 0.9]);
});

test("the report holds each row to the mean of the rows that it is compared with", () => {
  const rows = chooseRows(allRows, "amazon-photo-ladies");
  const [full, ladies] = judgeAll(
    rows.map((row, i) => ({ row, untaught: null, runs: [runOf(0.92 - 0.02 * i), runOf(0.9 - 0.02 * i)] })),
  );
  expect(lineOf(full!)).toBe("amazon-photo-gcn: 91 ± 1.41 over 2 seeds; at least 90: reached by 1.00 points");
  expect(lineOf(ladies!)).toContain("MISSED by 1.00 points");
  expect(detailsOf(ladies!)).toMatchObject({ mean: 89, needed: 90, margin: -1, reached: false, runs: [90, 88] });
});

test("a row that is held to two metrics is judged by both, of the same trainings", () => {
  const row: Row = { ...(allRows[0] as Row), name: "row", aim: { atLeast: 0.5 } };
  const also = { metric: "ndcg@20", aim: { atLeast: 0.3 } } as const;
  const run = { ...runOf(0.6), metrics: { "test/ndcg@20": 0.25 } };
  const judged = judgeAll(alsoMeasured({ row: { ...row, also }, untaught: null, runs: [run] }));
  expect(judged.map((each) => [each.row.name, each.mean, each.verdict?.reached])).toEqual([
    ["row", 0.6, true],
    ["row-ndcg@20", 0.25, false],
  ]);
});

test("a variant is its row with other settings, named by them, and has nothing to reach", () => {
  const row: Row = { ...(allRows[0] as Row), name: "row", spec: { task: { target: "x" }, train: { epochs: 5 } } };
  const file = join(temporaryFolder(), "variants.json");
  const set = { "train.optimizer.options.lr": 0.1, task: null, "train.epochs": 9 };
  writeFileSync(file, JSON.stringify([{ row: "row", set }]));
  const [varied] = varyRows([row], file) as [Row];
  expect(varied.spec).toEqual({ train: { epochs: 9, optimizer: { options: { lr: 0.1 } } } });
  expect(varied.name).toBe("row train.optimizer.options.lr=0.1 task=null train.epochs=9");
  expect(varied.aim).toBeNull();
  expect(row.spec.train?.epochs).toBe(5);
  expect(() => varyRows([], file)).toThrow(/no row row/);
});

test("common neighbours tell pairs that share some from pairs that share none", () => {
  // 0 and 1 share 2 and 3; 2 and 3 share 0 and 1; 4 and 5 share nobody.
  const parts = [{ firstNode: 0, numNodes: 6, indptr: [0, 2, 4, 4, 4, 5, 5], indices: Int32Array.of(2, 3, 2, 3, 0) }];
  const graph = { numNodes: 6, parts } as unknown as Parameters<typeof commonNeighborsAuc>[0]["graph"];
  const pairs = (src: number[], dst: number[]) => ({ src: Int32Array.from(src), dst: Int32Array.from(dst) });
  const held = { positives: pairs([0, 2], [1, 3]), negatives: pairs([4, 0], [5, 5]) };
  expect(commonNeighborsAuc({ graph }, held)).toBe(1);
  expect(commonNeighborsAuc({ graph }, { positives: held.negatives, negatives: held.positives })).toBe(0);
});

test("an artifact that was kept is read again, without what it is made of, and one in between is not kept", async () => {
  const folder = temporaryFolder();
  const kept = join(folder, "kept");
  const made: string[] = [];
  const store = (scratch: string) => new MadeArtifacts(join(folder, scratch), kept);
  const make = (name: string) => (into: string) => {
    made.push(name);
    return filesArtifactIn(into, { [name]: "content" });
  };
  const first = await store("a").once(["what", 1], make("first"));
  const again = await store("b").once(["what", 1], make("again"));
  await store("b").once(["what", 2], make("between"), true);
  expect(made).toEqual(["first", "between"]);
  expect(again.manifest.digest).toBe(first.manifest.digest);
  expect(readdirSync(kept)).toHaveLength(1);
});

test("seeds are how many, or the first and the last", () => {
  expect(chooseSeeds("3")).toEqual([0, 1, 2]);
  expect(chooseSeeds("3-5")).toEqual([3, 4, 5]);
  for (const text of ["", "5-3", "a", "1-"]) expect(() => chooseSeeds(text)).toThrow(/FIRST-LAST/);
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "accuracy-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("by the mean curve all folds are judged after the one epoch whose mean is best, and not each after its own", () => {
  const row = { ...allRows[0], aim: { atLeast: 0.6 }, judgedBy: "meanCurve" } as Row;
  const curves = [
    [0.9, 0.5, 0.6],
    [0.1, 0.8, 0.5],
  ];
  const runs = curves.map((curve) => ({ test: curve[2]!, val: null, metrics: {}, epochs: 3, cpuSeconds: 1, curve }));
  const [judged] = judgeAll(alsoMeasured({ row, runs, untaught: null }));
  expect(judged?.mean).toBeCloseTo((0.5 + 0.8) / 2, 12);
  expect(judged?.runs.map(({ epochs }) => epochs)).toEqual([2, 2]);
  expect(judged?.verdict?.reached).toBe(true);
});

test("settings of a seed of its own take the place of the row's, and are those that a kept training is found by", () => {
  const file = join(mkdtempSync(join(tmpdir(), "hopwise-results-")), "results.jsonl");
  onTestFinished(() => rmSync(join(file, ".."), { recursive: true }));
  const base = allRows[0] as Row;
  const specOf = (seed: number) => ({ ...base.spec, train: { ...base.spec.train, epochs: 10 + seed } });
  const row: Row = { ...base, specOf };
  const run = { test: 0.5, val: 0.4, metrics: {}, epochs: 11, cpuSeconds: 1 };
  new RecordedRuns(file).add(row, 1, null, run);
  expect(new RecordedRuns(file).find({ ...base, spec: specOf(1) }, 1, null)).toMatchObject(run);
  expect(new RecordedRuns(file).find(base, 1, null)).toBeUndefined();
});

test("a column for each row is read as the identity", async () => {
  const dir = mkdtempSync(join(tmpdir(), "hopwise-identity-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, "one-each.npz"), identityMatrix(70));
  const { dim, indptr, indices, data } = await readNpzCsr(join(dir, "one-each.npz"), "one-each.npz");
  expect(dim).toBe(70);
  expect(Array.from(indptr, Number)).toEqual(Array.from({ length: 71 }, (_, i) => i));
  expect(Array.from(indices)).toEqual(Array.from({ length: 70 }, (_, i) => i));
  expect(Array.from(data)).toEqual(Array.from({ length: 70 }, () => 1));
});
