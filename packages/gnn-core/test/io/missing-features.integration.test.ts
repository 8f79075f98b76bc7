import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type DatasetSpecInput, datasetSpec } from "../../src/io/dataset-spec.ts";
import { readNpy } from "../../src/io/npy.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";

const edges = "src,dst\na,b\nb,c\nc,d\n";

function specOf(features: object): DatasetSpecInput {
  return {
    edges: { files: ["edges.csv"], src: "src", dst: "dst" },
    nodes: { files: ["nodes.csv"], id: "id", features: features as { columns: string[] } },
  };
}

async function rowsOf(nodes: string, features: object): Promise<number[][]> {
  const files = await filesArtifact({ "edges.csv": edges, "nodes.csv": nodes });
  const { dir } = await runStep(ingestStep, { files }, specOf(features));
  const { values, shape } = await readNpy(join(dir, "nodes/features.npy"), "float32");
  const dim = shape[1]!;
  return Array.from({ length: values.length / dim }, (_, row) =>
    Array.from(values.subarray(row * dim, (row + 1) * dim)),
  );
}

describe("features that are missing", () => {
  const gaps = "id,age,score\na,10,\nb,,2\nc,20,4\nd,NA,6\n";

  it("become what the spec says of their column, with or without a column that marks them", async () => {
    const missing = { age: { fill: -1 }, score: { fill: "mean", indicator: false } };
    expect(await rowsOf(gaps, { columns: ["age", "score"], missing })).toEqual([
      [10, 0, 4],
      [-1, 1, 2],
      [20, 0, 4],
      [-1, 1, 6],
    ]);
  });

  it("are refused by their line where it says nothing", async () => {
    await expect(rowsOf(gaps, { columns: ["score"] })).rejects.toThrow(
      /nodes\.csv, line 2, column "score": the feature is empty.*say in features\.missing what to take instead/,
    );
  });

  it("have no mean where no row has a value", async () => {
    const none = "id,age\na,\nb,NA\nc,\nd,\n";
    const reading = rowsOf(none, { columns: ["age"], missing: { age: { fill: "mean" } } });
    await expect(reading).rejects.toThrow(/column "age": no row has a value, so that there is no mean/);
  });

  it("are never of a column that is no feature", () => {
    const parsed = datasetSpec.safeParse(specOf({ columns: ["x"], missing: { y: { fill: 0 } }, widths: { z: 3 } }));
    const said = parsed.error?.issues.map(({ message }) => message);
    expect(said).toEqual([expect.stringContaining('"z" is not'), expect.stringContaining('"y" is not')]);
  });
});

describe("true and false as features", () => {
  it.each([
    ["true", "False"],
    ["t", "f"],
    ["YES", "no"],
  ])("%s and %s are 1 and 0", async (yes, no) => {
    const nodes = `id,on\na,${yes}\nb,${no}\nc,${no}\nd,${yes}\n`;
    expect(await rowsOf(nodes, { columns: ["on"] })).toEqual([[1], [0], [0], [1]]);
  });

  it("may be missing too", async () => {
    const rows = await rowsOf("id,on\na,true\nb,NA\nc,false\nd,\n", { columns: ["on"], missing: { on: { fill: 0 } } });
    expect(rows).toEqual([
      [1, 0],
      [0, 1],
      [0, 0],
      [0, 1],
    ]);
  });

  it("are no number beside other words", async () => {
    await expect(rowsOf("id,on\na,true\nb,maybe\nc,false\nd,true\n", { columns: ["on"] })).rejects.toThrow(
      /line 2: "true" in column "on" is not a finite number/,
    );
  });
});
