import { sweepRequest } from "@hopwise/contracts";
import { describe, expect, test } from "vitest";
import { commandText, curlText, mutationText, typescriptText } from "../../src/services/request-text.ts";
import { noSweep, readSweep, type SweepAxis, specToSend, sweptPaths } from "../../src/services/sweep-draft.ts";
import { countsText, sweptFields } from "../../src/services/sweep-table.ts";

const axis = (path: string, values: string): SweepAxis => ({ key: 0, path, values });

describe("what is typed into the sweep of the form", () => {
  test("is a grid of numbers, words and lists, and seeds", () => {
    const axes = [
      axis("train.epochs", "10, 20"),
      axis("model.type", "gcn,sage"),
      axis("sampling.options.fanouts", "[[5,5],[9,9]]"),
    ];
    const read = readSweep({ axes, seeds: "0-2, 7", searchMinutes: null });
    expect(read).toEqual({
      parts: {
        grid: {
          "train.epochs": [10, 20],
          "model.type": ["gcn", "sage"],
          "sampling.options.fanouts": [
            [5, 5],
            [9, 9],
          ],
        },
        seeds: [0, 1, 2, 7],
      },
      numJobs: 2 * 2 * 2 * 4,
      seedsProblem: null,
    });
    expect(sweepRequest.safeParse({ spec: {}, ...read.parts }).success).toBe(true);
  });

  test("asks for a single job while nothing is varied, and is not sent while the seeds are none", () => {
    expect(readSweep(noSweep)).toEqual({ parts: null, numJobs: 1, seedsProblem: null });
    expect(
      readSweep({ axes: [axis("train.epochs", " "), axis("", "1")], seeds: "", searchMinutes: null }).parts,
    ).toBeNull();
    expect(readSweep({ ...noSweep, seeds: "two" }).seedsProblem).toMatch(/whole numbers/);
  });

  test("may vary the fields of the form that the API lets it vary", () => {
    const paths = sweptPaths([
      "/name",
      "/train",
      "/train/seed",
      "/train/epochs",
      "/model/type",
      "/priority",
      "/train/epochs",
    ]);
    expect(paths).toEqual(["train.epochs", "model.type"]);
    for (const path of paths) expect(sweepRequest.safeParse({ spec: {}, grid: { [path]: [1] } }).success).toBe(true);
  });
});

test("a search is told what was set by hand alone, and finds the rest", () => {
  const read = readSweep({ ...noSweep, searchMinutes: 5 });
  expect(read.parts).toEqual({ grid: {}, auto: { budget: "PT5M" } });
  expect(sweepRequest.safeParse({ spec: {}, ...read.parts }).success).toBe(true);
  const spec = { dataset: "ds_1", model: { type: "gcn" }, train: { epochs: 3 }, features: {} };
  expect(specToSend(spec, read.parts, ["train"], {})).toEqual({ dataset: "ds_1", train: { epochs: 3 } });
  expect(specToSend(spec, null, [], {})).toBe(spec);
  const task = { type: "linkPrediction", split: { type: "given" }, dim: 32, decoder: { type: "mlp" } };
  const preset = { task: { type: "linkPrediction", dim: 64, decoder: { type: "mlp" } } };
  const { task: sent } = specToSend({ task }, read.parts, [], preset);
  expect(sent, "what the preset says of the task is to be found; what was changed stays").toEqual({
    type: "linkPrediction",
    split: { type: "given" },
    dim: 32,
  });
  expect(commandText({}, read.parts, "http://x")).toContain("--auto PT5M");
});

test("a sweep is written down for scripts as it is sent", () => {
  const [spec, sweep] = [{ version: 1 }, { grid: { "model.type": ["it's"] }, seeds: [0, 3] }];
  const variables = JSON.parse(mutationText(spec, sweep).split("# Variables\n")[1] ?? "");
  expect(variables).toEqual({ spec, ...sweep });
  expect(curlText(spec, sweep, "http://x")).toMatch(/^curl http:\/\/x\/v1\/sweeps /);
  expect(typescriptText(spec, sweep, "http://x")).toContain('client.call("POST /v1/sweeps"');
  expect(commandText(spec, sweep, "http://x")).toContain(
    `--seeds 0,3 \\\n  --sweep 'model.type=["it'\\''s"]' <<'JSON'`,
  );
});

test("columns are called by the last word of a path where it tells them apart", () => {
  const settings = [
    { changes: { "train.optimizer.options.lr": 1, "model.type": "gcn" } },
    { changes: { "a.dropout": 1, "b.dropout": 2 } },
  ];
  expect(sweptFields(settings).map(({ title }) => title)).toEqual(["lr", "model.type", "a.dropout", "b.dropout"]);
  expect(countsText({ jobs: 8, waiting: 0, running: 2, succeeded: 5, failed: 1, cancelled: 0 })).toBe(
    "5 of 8 jobs done, 2 running, 1 failed",
  );
});
