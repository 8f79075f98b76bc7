import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { z } from "zod";

const root = fileURLToPath(new URL("..", import.meta.url));
const run = promisify(execFile);
const bench = async (...args: string[]) => (await run("script/bench", args, { cwd: root })).stdout;
const folders = readdirSync(`${root}/benchmarks`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const topics = folders.map(({ name }) => name).toSorted();

const result = z.strictObject({
  topic: z.string(),
  figure: z.number().positive(),
  unit: z.string().min(1),
  better: z.enum(["lower", "higher"]),
  ceiling: z.number().positive().nullable(),
  details: z.record(z.string(), z.unknown()),
});

test("without a topic the benchmarks are listed", async () => {
  expect((await bench()).trim().split("\n").toSorted()).toEqual(topics);
});

test.each(topics)(
  "%s prints one JSON line: figure, unit, direction and a ceiling measured in the same run",
  async (topic) => {
    const lines = (await bench(topic, "--json", "--small", "--built")).trim().split("\n");
    expect(lines).toHaveLength(1);
    expect(result.parse(JSON.parse(lines[0] ?? "")).topic).toBe(topic);
  },
);

test("without --json the same figure comes as a table", async () => {
  const [heading = "", ceiling = ""] = (await bench("sampler", "--small")).split("\n");
  expect(heading).toMatch(/^sampler +[\d.,]+ .+ \(higher is better\)$/);
  expect(ceiling).toMatch(/^ceiling +[\d.,]+ /);
});

test("an unknown topic ends with the list of those there are", async () => {
  await expect(bench("nonsense")).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("sampler") });
});
