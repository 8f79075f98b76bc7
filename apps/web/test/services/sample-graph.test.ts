import { expect, test } from "vitest";
import { sampleFiles } from "../../src/services/sample-graph.ts";

const rowsOf = async (file: File) =>
  (await file.text())
    .trim()
    .split("\n")
    .map((line) => line.split(","));

test("the sample is a graph whose edges name its nodes and mostly join nodes of one class", async () => {
  const [edgesFile, nodesFile] = sampleFiles();
  const [[...header], ...nodes] = (await rowsOf(nodesFile)) as [string[], ...string[][]];
  const [, ...edges] = await rowsOf(edgesFile);
  expect(header.slice(0, 3)).toEqual(["id", "label", "split"]);
  const labelOf = new Map(nodes.map(([id = "", label = ""]) => [id, label]));
  expect(labelOf.size).toBe(300);
  const ends = edges.map((edge) => edge.map((id) => labelOf.get(id)));
  expect(ends.flat()).not.toContain(undefined);
  const within = ends.filter(([src, dst]) => src === dst).length / edges.length;
  // 0.9 are placed within and a third of the rest falls there: 0.9 + 0.1 / 3.
  expect(within).toBeCloseTo(0.93, 1);
});

test("the sample is the same for everyone", async () => {
  const [[first], [second]] = [sampleFiles(), sampleFiles()];
  expect(await first.text()).toBe(await second.text());
});
