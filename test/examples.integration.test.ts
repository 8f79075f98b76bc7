import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

test("the in-memory example trains a model that knows the fields of nine papers in ten", async () => {
  const { stdout } = await promisify(execFile)("node_modules/.bin/tsx", ["examples/in-memory-sage.ts"], { cwd: root });
  const accuracy = Number(/test accuracy ([\d.]+) %/.exec(stdout)?.[1]);
  expect(accuracy).toBeGreaterThan(90);
});

test("the example of a model of one's own is found in its folder and learns", async () => {
  const { stdout } = await promisify(execFile)("node_modules/.bin/tsx", ["examples/own-model.ts"], { cwd: root });
  expect(stdout).toContain("difference");
  const accuracy = Number(/test accuracy ([\d.]+) %/.exec(stdout)?.[1]);
  expect(accuracy).toBeGreaterThan(85);
});

test.each([
  ["full-graph", 85],
  ["mini-batch", 85],
] as const)("the %s loop written out by hand learns the communities of its graph", async (name, percent) => {
  const { stdout } = await promisify(execFile)("node_modules/.bin/tsx", [`examples/${name}.ts`], { cwd: root });
  const accuracy = Number(/test accuracy ([\d.]+) %/.exec(stdout)?.[1]);
  expect(accuracy).toBeGreaterThan(percent);
});

test("the example on several ranks ends on each with the same steps and the same accuracy", async () => {
  const { stdout } = await promisify(execFile)("node_modules/.bin/tsx", ["examples/multi-rank.ts", "2"], { cwd: root });
  const told = [...stdout.matchAll(/^rank \d of 2: (\d+ steps, test accuracy [\d.]+ %)$/gm)].map(([, what]) => what);
  expect(told).toHaveLength(2);
  expect(told[0]).toBe(told[1]);
  expect(Number(/accuracy ([\d.]+) %/.exec(told[0] ?? "")?.[1])).toBeGreaterThan(50);
});

test("one neighbour with control variates is as accurate as all neighbours, within 2 points; without them it is not", async () => {
  const { stdout } = await promisify(execFile)("node_modules/.bin/tsx", ["examples/control-variate.ts"], { cwd: root });
  const accuracyOf = (name: string) =>
    Number(new RegExp(`^${name}: test accuracy ([\\d.]+) %$`, "m").exec(stdout)?.[1]);
  const all = accuracyOf("all neighbours");
  expect(all).toBeGreaterThan(88);
  expect(accuracyOf("control variates")).toBeGreaterThan(all - 2);
  expect(accuracyOf("one neighbour")).toBeLessThan(all - 20);
});

test("the example of rows learned from random walks finds the communities, on two ranks as standalone", async () => {
  const run = async (ranks: string) => {
    const args = ["examples/dist-embedding.ts", ranks];
    const { stdout } = await promisify(execFile)("node_modules/.bin/tsx", args, { cwd: root });
    return [
      ...stdout.matchAll(/^rank \d of \d: loss ([\d.]+), nearest node in its own community ([\d.]+) %, (\d+) %/gm),
    ].map(([, loss, share, remote]) => ({ loss: Number(loss), share: Number(share), remote: Number(remote) }));
  };
  const [alone] = await run("1");
  const ranks = await run("2");
  expect(alone).toMatchObject({ remote: 0 });
  expect(alone?.share).toBeGreaterThan(70);
  expect(ranks).toHaveLength(2);
  for (const rank of ranks) {
    expect(rank.remote).toBeGreaterThan(10);
    expect(Math.abs(rank.loss / (alone?.loss ?? 0) - 1)).toBeLessThan(1e-3);
    expect(rank.share).toBeGreaterThan(70);
  }
});
