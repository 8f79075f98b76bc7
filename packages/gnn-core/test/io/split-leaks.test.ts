import { describe, expect, it } from "vitest";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";

type Row = readonly [id: string, split: string, ...features: number[]];

/** What the profile of a graph of these nodes says; the features lie in columns f0, f1 … */
async function profileOf(rows: readonly Row[]) {
  const names = rows[0]!.slice(2).map((_, i) => `f${i}`);
  const nodes = [["id", "split", ...names], ...rows].map((row) => row.join(",")).join("\n");
  const files = await filesArtifact({ "nodes.csv": nodes, "edges.csv": `src,dst\n${rows[0]![0]},${rows[1]![0]}\n` });
  const graph = await runStep(
    ingestStep,
    { files },
    {
      edges: { files: ["edges.csv"], src: "src", dst: "dst" },
      nodes: { files: ["nodes.csv"], id: "id", split: "split", features: { columns: names } },
    },
  );
  return graph.manifest.info["profile"] as { tellSplit: string[]; repeatedFeatures: unknown };
}

describe("leaks between the split and the features", () => {
  it("counts held-out nodes that have the features of a training node, wherever their rows stand", async () => {
    const { repeatedFeatures } = await profileOf([
      ["held before", "test", 1, 2],
      ["a", "train", 1, 2],
      ["b", "train", 3, 4],
      ["held after", "val", 3, 4],
      ["in other columns", "test", 4, 3],
      ["of nobody else", "test", 5, 6],
      ["on no side", "", 3, 4],
      ["zeros", "test", 0, 0],
      ["zeros too", "train", 0, 0],
    ]);
    expect(repeatedFeatures).toEqual({ heldOut: 4, repeated: 2 });
  });

  it("takes 0 and -0 for one value", async () => {
    const { repeatedFeatures } = await profileOf([
      ["a", "train", 1, 0],
      ["b", "test", 1, -0],
    ]);
    expect(repeatedFeatures).toEqual({ heldOut: 1, repeated: 1 });
  });

  it("says nothing where no node is held out, or none is learned from", async () => {
    for (const split of ["train", "test", ""]) {
      const { repeatedFeatures } = await profileOf([
        ["a", split, 1],
        ["b", split, 1],
      ]);
      expect(repeatedFeatures).toBeNull();
    }
  });

  it("names columns that give the side of a node away", async () => {
    const sides = ["train", "train", "val", "test"];
    const rows = Array.from({ length: 40 }, (_, i): Row => {
      const side = i % 4;
      return [`n${i}`, sides[side]!, side < 2 ? 2024 : 2025 + side, i % 3, i];
    });
    expect((await profileOf(rows)).tellSplit).toEqual(["f0"]);
  });
});
