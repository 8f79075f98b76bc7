import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { Stack } from "./support/stack.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What an example prints. */
async function run(example: string, ...args: string[]): Promise<string> {
  const command = ["--import", "tsx", `examples/${example}.ts`, ...args];
  return (await promisify(execFile)(process.execPath, command, { cwd: root })).stdout;
}

test("the in-memory example trains a model that knows the fields of nine papers in ten", async () => {
  const stdout = await run("in-memory-sage");
  const accuracy = Number(/test accuracy ([\d.]+) %/.exec(stdout)?.[1]);
  expect(accuracy).toBeGreaterThan(90);
});

test("the example of a model of one's own is found in its folder and learns", async () => {
  const stdout = await run("own-model");
  expect(stdout).toContain("difference");
  const accuracy = Number(/test accuracy ([\d.]+) %/.exec(stdout)?.[1]);
  expect(accuracy).toBeGreaterThan(85);
});

test.each([
  ["full-graph", 85],
  ["mini-batch", 85],
] as const)("the %s loop written out by hand learns the communities of its graph", async (name, percent) => {
  const stdout = await run(name);
  const accuracy = Number(/test accuracy ([\d.]+) %/.exec(stdout)?.[1]);
  expect(accuracy).toBeGreaterThan(percent);
});

test("the example of links tells held-out citations from other pairs, and names new neighbours", async () => {
  const stdout = await run("link-prediction");
  expect(Number(/mean test AUC of 1 seeds ([\d.]+) %/.exec(stdout)?.[1])).toBeGreaterThan(65);
  expect(stdout).toMatch(/likeliest new neighbours of paper-0: (\S+ \(-?[\d.]+\)(, |$)){3}/m);
});

test("the example of links with times tells who is linked next better than chance", async () => {
  const stdout = await run("temporal-links");
  expect(Number(/^temporal, seed 0: .* test AUC ([\d.]+)/m.exec(stdout)?.[1])).toBeGreaterThan(0.6);
});

test("the example of whole graphs tells rings with chords from rings without, in each fold", async () => {
  const stdout = await run("graph-classification");
  expect(Number(/mean test accuracy of 2 folds ([\d.]+) %/.exec(stdout)?.[1])).toBeGreaterThan(90);
});

test("the example of embeddings tells more of the communities than the features did", async () => {
  const stdout = await run("embeddings");
  const told = (what: string) => Number(new RegExp(`^${what} tell ([\\d.]+) %`, "m").exec(stdout)?.[1]);
  expect(told("embeddings")).toBeGreaterThan(told("features alone") + 5);
});

test("the example of random walks tells the communities of a graph that has nothing but edges", async () => {
  const stdout = await run("random-walks");
  const told = [...stdout.matchAll(/^(DeepWalk|node2vec): .* tell ([\d.]+) %/gm)].map(([, , percent]) =>
    Number(percent),
  );
  expect(told).toHaveLength(2);
  // A quarter is what guessing gets.
  for (const percent of told) expect(percent).toBeGreaterThan(70);
});

test("the example of unsupervised GraphSAGE tells far more of the communities than the features do", async () => {
  const stdout = await run("unsupervised-sage");
  const told = (what: string) => Number(new RegExp(`${what} tell ([\\d.]+) %`).exec(stdout)?.[1]);
  expect(told("rows")).toBeGreaterThan(told("features alone") + 20);
});

test("the example of an explanation finds the edge that decides in all nodes", async () => {
  expect(await run("explain-node")).toContain("the deciding edge found for 5 of 5 nodes");
});

test("the example without training tells more of the communities by four hops than by one", async () => {
  const stdout = await run("fast-rp");
  const told = [...stdout.matchAll(/^.* hops?: rows tell ([\d.]+) %/gm)].map(([, percent]) => Number(percent));
  expect(told).toHaveLength(2);
  expect(told[1]).toBeGreaterThan(told[0]!);
  // A quarter is what guessing gets.
  expect(told[1]).toBeGreaterThan(70);
});

test("the example on several ranks ends on each with the same steps and the same accuracy", async () => {
  const stdout = await run("multi-rank", "2");
  const told = [...stdout.matchAll(/^rank \d of 2: (\d+ steps, test accuracy [\d.]+ %)$/gm)].map(([, what]) => what);
  expect(told).toHaveLength(2);
  expect(told[0]).toBe(told[1]);
  expect(Number(/accuracy ([\d.]+) %/.exec(told[0] ?? "")?.[1])).toBeGreaterThan(50);
});

test("one neighbour with control variates is as accurate as all neighbours, within 2 points; without them it is not", async () => {
  const stdout = await run("control-variate");
  const accuracyOf = (name: string) =>
    Number(new RegExp(`^${name}: test accuracy ([\\d.]+) %$`, "m").exec(stdout)?.[1]);
  const all = accuracyOf("all neighbours");
  expect(all).toBeGreaterThan(88);
  expect(accuracyOf("control variates")).toBeGreaterThan(all - 2);
  expect(accuracyOf("one neighbour")).toBeLessThan(all - 20);
});

test("the example of rows learned from random walks finds the communities, on two ranks as standalone", async () => {
  const learn = async (ranks: string) => {
    const stdout = await run("dist-embedding", ranks);
    return [
      ...stdout.matchAll(/^rank \d of \d: loss ([\d.]+), nearest node in its own community ([\d.]+) %, (\d+) %/gm),
    ].map(([, loss, share, remote]) => ({ loss: Number(loss), share: Number(share), remote: Number(remote) }));
  };
  const [alone] = await learn("1");
  const ranks = await learn("2");
  expect(alone).toMatchObject({ remote: 0 });
  expect(alone?.share).toBeGreaterThan(70);
  expect(ranks).toHaveLength(2);
  for (const rank of ranks) {
    expect(rank.remote).toBeGreaterThan(10);
    expect(Math.abs(rank.loss / (alone?.loss ?? 0) - 1)).toBeLessThan(1e-3);
    expect(rank.share).toBeGreaterThan(70);
  }
});

test("the example on parts gives ranks that hold one each the losses and the embeddings of a rank that holds all", async () => {
  const train = async (numRanks: number) => {
    const stdout = await run("distributed-node-classification", String(numRanks));
    const ranks = [...stdout.matchAll(/^rank \d of \d: (\d+) of (\d+) nodes, (\d+) rows .*accuracy ([\d.]+) %$/gm)].map(
      ([, own, all, remote, accuracy]) => [own, all, remote, accuracy].map(Number) as [number, number, number, number],
    );
    const losses = (/^losses (.*)$/m.exec(stdout)?.[1] ?? "").split(" ").map(Number);
    const alike = Number(/nearest node of the same class ([\d.]+) %$/m.exec(stdout)?.[1]);
    return { ranks, losses, alike };
  };
  const alone = await train(1);
  const parted = await train(2);
  const [[numNodes, , , accuracy] = [0, 0, 0, 0]] = alone.ranks;
  expect(alone.ranks).toEqual([[numNodes, numNodes, 0, accuracy]]);
  expect(accuracy).toBeGreaterThan(65);
  expect(parted.ranks).toHaveLength(2);
  for (const [own, all, remote, ofRank] of parted.ranks) {
    expect(all).toBe(numNodes);
    expect(Math.abs(ofRank - accuracy)).toBeLessThanOrEqual(1);
    expect(own / (numNodes / 2)).toBeLessThan(1.05);
    expect(remote).toBeGreaterThan(0);
  }
  expect(alone.losses).toHaveLength(8);
  for (const [epoch, loss] of alone.losses.entries()) {
    expect(Math.abs((parted.losses[epoch] ?? 0) - loss)).toBeLessThan(1e-5);
  }
  // Rows left in the order of GlobalIds would give 3.5 %.
  expect(alone.alike).toBeGreaterThan(45);
  expect(Math.abs(parted.alike - alone.alike)).toBeLessThanOrEqual(1);
});

test("the example with sampler processes learns from batches that they alone have drawn", async () => {
  const stdout = await run("remote-samplers", "2");
  const batches = [...stdout.matchAll(/^sampler \d: (\d+) batches$/gm)].map(([, count]) => Number(count));
  const [, steps, accuracy] = /^trainer: (\d+) steps, test accuracy ([\d.]+) %$/m.exec(stdout) ?? [];
  expect(batches).toHaveLength(2);
  expect(Math.min(...batches)).toBeGreaterThan(0);
  expect((batches[0] ?? 0) + (batches[1] ?? 0)).toBe(Number(steps));
  expect(Number(accuracy)).toBeGreaterThan(50);
});

test("the example of cutting a graph: METIS leaves fewer edges between parts, all parts even, every node in one", async () => {
  const stdout = await run("partition-graph", "3");
  const between = (type: string) => Number(new RegExp(`^${type}: ([\\d.]+) % of the edges`, "m").exec(stdout)?.[1]);
  // Two of three edges lie between parts where nodes are dealt to three parts at random.
  expect(Math.abs(between("random") - 200 / 3)).toBeLessThan(2);
  expect(between("metis")).toBeLessThan(between("random") / 1.5);
  const parts = [...stdout.matchAll(/^part \d: (\d+) nodes/gm)].map(([, nodes]) => Number(nodes));
  const [, inAll, all] = /^in all (\d+) of (\d+) nodes$/m.exec(stdout) ?? [];
  expect(parts).toHaveLength(3);
  expect([parts.reduce((a, b) => a + b, 0), Number(inAll)]).toEqual([Number(all), Number(all)]);
  expect(Math.max(...parts) / (Number(all) / 3)).toBeLessThan(1.06);
  const [first, last] = [...stdout.matchAll(/^GlobalId (\d+) is node \d+, of part (\d)$/gm)];
  expect([first?.[1], first?.[2], last?.[1], last?.[2]]).toEqual(["0", "0", String(Number(all) - 1), "2"]);
});

test("the example of distributed components reads, draws and updates the same on two ranks as standalone", async () => {
  const told = async (ranks: string) => {
    const stdout = await run("dist-components", ranks);
    const lines = [...stdout.matchAll(/^rank \d of \d: (.*)$/gm)].map(([, text = ""]) => text);
    return (about: RegExp) => lines.filter((line) => about.test(line)).toSorted();
  };
  const [alone, two] = [await told("1"), await told("2")];
  // Squares of 0, 5 and 11; Adagrad's first step is the learning rate, and row 4 had no gradient.
  expect(alone(/^squares/)).toEqual(["squares 0 0 5 25 11 121"]);
  expect(alone(/^rows/)).toEqual(["rows 0.900 0.900 1.000"]);
  expect(alone(/^in-neighbours/)).toEqual(["in-neighbours of 0 and 6: 10 11 4 5"]);
  for (const about of [/^squares/, /^rows/, /^in-neighbours/])
    expect(two(about)).toEqual([...alone(about), ...alone(about)]);
  expect(two(/^trains/)).toEqual([
    "trains on 0 3, 2 of 4 nodes; steps of two: 1",
    "trains on 6 9, 2 of 4 nodes; steps of two: 1",
  ]);
});

test("the example of GraphSAGE with a learnt row for each node has the same losses on two ranks as on one", async () => {
  const train = async (ranks: string) => {
    const stdout = await run("sage-without-features", ranks);
    const accuracies = [...stdout.matchAll(/^rank \d of \d: test accuracy ([\d.]+) %$/gm)].map(([, one]) =>
      Number(one),
    );
    return { accuracies, losses: (/^losses (.*)$/m.exec(stdout)?.[1] ?? "").split(" ").map(Number) };
  };
  const [alone, two] = [await train("1"), await train("2")];
  expect(alone.losses).toHaveLength(12);
  for (const [epoch, loss] of alone.losses.entries()) expect(two.losses[epoch]).toBeCloseTo(loss, 5);
  expect(two.accuracies).toEqual([...alone.accuracies, ...alone.accuracies]);
  // A quarter is what guessing gets.
  expect(alone.accuracies[0]).toBeGreaterThan(90);
});

test("the example on a cluster trains on parts by the command line, and brings embeddings under the user's ids", async () => {
  const dir = mkdtempSync(join(tmpdir(), "hw-cluster-"));
  const stack = await Stack.startOnServer({ HOPWISE_WORKER_SLOTS: "2" });
  try {
    const key = readFileSync(join(stack.dir, "secrets/admin-api-key"), "utf8").trim();
    const { PATH = "" } = process.env;
    const env = { PATH, HOPWISE_URL: stack.url, HOPWISE_API_KEY: key, HOPWISE_CONFIG: join(dir, "config.json") };
    const { stdout } = await promisify(execFile)(join(root, "examples/cluster/train.sh"), [dir], { env });
    expect(Number(/^test accuracy ([\d.]+) %$/m.exec(stdout)?.[1])).toBeGreaterThan(60);
    const rows = readFileSync(join(dir, "embeddings.csv"), "utf8").trim().split("\n");
    const ids = readFileSync(join(root, "examples/papers/nodes.csv"), "utf8").trim().split("\n").slice(1);
    const idOf = (line: string) => line.split(",")[0] ?? "";
    const idsOf = (lines: readonly string[]) => new Set(lines.map(idOf));
    expect(rows).toHaveLength(1 + ids.length);
    expect(idsOf(rows.slice(1))).toEqual(idsOf(ids));
  } finally {
    await stack.stop();
    rmSync(dir, { recursive: true });
  }
});
