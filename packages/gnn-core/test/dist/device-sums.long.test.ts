import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildEmulated } from "../support/cuda-emulated.ts";
import { type GlooTask, trainGlooRanks } from "../train/support/gloo-ranks.ts";
import { optionsOf } from "../train/support/train-ranks.ts";

const data = { numNodes: 40, numClasses: 3, dim: 6, numTrain: 20, degree: 4 };
const model = { type: "sage", options: { hiddenFeats: 8, numLayers: 2, dropout: 0 } };
const sampling = { type: "neighbor", options: { fanouts: [3, 2] } };
const options = optionsOf({ model, sampling, train: { epochs: 6, batchSize: 10, evaluate: { everyEpochs: 6 } } });
const endless = optionsOf({ model, sampling, train: { epochs: 100_000, batchSize: 10 } });

let scratch = "";
let libraries = "";
beforeAll(async () => {
  buildEmulated("--nccl-double");
  scratch = await mkdtemp(join(tmpdir(), "hopwise-device-sums-"));
  libraries = join(scratch, "lib");
  await mkdir(libraries);
  const double = fileURLToPath(new URL("../../build/device/test-device/nccl-double.so", import.meta.url));
  await symlink(double, join(libraries, "libnccl.so.2"));
}, 600_000);
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** Two processes, each with an emulated device; each finds NCCL's double, in the given state. */
function train(task: Partial<GlooTask>, state: (rank: number) => string = () => "") {
  const environment = (rank: number) => ({ LD_LIBRARY_PATH: libraries, HOPWISE_TEST_NCCL: state(rank) });
  return trainGlooRanks({ worldSize: 2, data, options, scratchDir: scratch, onDevices: true, environment, ...task });
}

test("gradients that NCCL adds up give the weights that the hosts' collective gives, bit for bit", async () => {
  const throughHosts = await train({ environment: () => ({}) });
  expect(throughHosts[0]!.sums).toMatch(/through the hosts' memory: libnccl.so.2: cannot open/);
  const found = await train({});
  expect(found.map(({ code, message }) => [code, message])).toEqual([
    [null, ""],
    [null, ""],
  ]);
  expect(found[0]!.sums).toBe("Gradients are added up from device to device: NCCL 2.30.7");
  expect(found[0]!.losses).toHaveLength(6);
  expect(found[0]!.losses).toEqual(throughHosts[0]!.losses);
  expect(found.map(({ weights }) => weights)).toEqual(throughHosts.map(({ weights }) => weights));
  expect(found[1]!.weights).toEqual(found[0]!.weights);
});

test("a process that is cancelled ends the other one at the same step, with the same weights", async () => {
  const results = await train({ options: endless, cancel: { rank: 0, afterEpoch: 3 } });
  expect(results.map(({ code }) => code)).toEqual(["CANCELLED", "CANCELLED"]);
  expect(results[1]!.weights).toEqual(results[0]!.weights);
});

test("where one rank's device cannot be connected, all go through the hosts' memory", async () => {
  const results = await train({}, () => "refuses");
  expect(results.map(({ code }) => code)).toEqual([null, null]);
  expect(results[0]!.sums).toMatch(/through the hosts' memory: NCCL 2.30.7 failed: invalid usage/);
});

test("where one rank has no NCCL, the others are told", async () => {
  const results = await train({}, (rank) => (rank === 1 ? "absent" : ""));
  expect(results[0]!.sums).toBe("Gradients are added up through the hosts' memory: another rank cannot");
});

test("a group that fails ends the run as RANK_LOST, so that the attempt begins again", async () => {
  const results = await train({ options: endless, timeoutMs: 10_000 }, () => "broken");
  expect(results.map(({ code }) => code)).toEqual(["RANK_LOST", "RANK_LOST"]);
  // Who notices first leaves; the other one may hear of it from either side.
  const messages = results.map(({ message }) => message).join("\n");
  expect(messages).toMatch(/NCCL 2.30.7 lost another rank: remote process exited/);
});

test("a rank that does nothing any more is noticed when the time is over", async () => {
  const [other] = await train({ options: endless, timeoutMs: 3000, stall: { rank: 0, afterEpoch: 2 } });
  expect([other!.code, other!.message]).toEqual([
    "RANK_TIMEOUT",
    "A sum by NCCL 2.30.7 waited 3000 ms for another rank.",
  ]);
});
