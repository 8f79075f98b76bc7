import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

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
