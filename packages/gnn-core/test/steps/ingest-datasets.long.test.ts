import { existsSync } from "node:fs";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { idTexts, openNodeIds } from "../../src/export/node-ids.ts";
import { graphInfo } from "../../src/io/ingest/ingest-report.ts";
import type { ArtifactDir } from "../../src/io/manifest.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { mapStep } from "../../src/steps/map.step.ts";
import { query } from "../support/duckdb.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";

const datasets = fileURLToPath(new URL("../../../../../shared/datasets/", import.meta.url));
const isThere = existsSync(join(datasets, "cora"));

interface Expected {
  readonly name: string;
  readonly features: string | null;
  readonly selfLoops?: "keep" | "drop";
  readonly info: Record<string, unknown>;
  readonly report: Record<string, unknown>;
  /** Edge homophily and adjusted homophily of Platonov et al. 2023 (arXiv:2302.11640, arXiv:2209.06177) */
  readonly homophily?: { readonly share: number; readonly adjusted: number };
}

// Counts from the README of each set, which were computed by other programs.
const expected: Expected[] = [
  {
    name: "cora",
    features: "features.npz",
    info: {
      numNodes: 2708,
      numEdges: 2 * 5278,
      idType: "int64",
      features: { kind: "csr", dim: 1433, values: "binary", numNonZero: 49_216 },
    },
    homophily: { share: 0.81, adjusted: 0.77 },
    report: { edgeRows: 5429, duplicateEdges: 5429 - 5278, selfLoops: 0, isolatedNodes: 0 },
  },
  {
    name: "pubmed-structure",
    features: null,
    info: {
      numNodes: 19_717,
      features: { kind: "none", dim: 0 },
      splits: { train: 60, val: 500, test: 1000, none: 18_157 },
    },
    report: { edgeRows: 44_324, duplicateEdges: 0 },
  },
  {
    name: "coauthor-cs",
    features: "features.npz",
    info: { numNodes: 18_333, numEdges: 2 * 81_894, idType: "string", features: { kind: "csr", dim: 6805 } },
    report: { duplicateEdges: 0, selfLoops: 0 },
  },
  {
    name: "amazon-photo",
    features: "features.npz",
    info: { numNodes: 7650, numEdges: 2 * 119_081, splits: { train: 160, val: 240, test: 7087, none: 163 } },
    report: { edgeRows: 143_663, selfLoops: 1 },
  },
  {
    name: "facebook-pages",
    features: "features.npz",
    info: { numNodes: 22_470, numEdges: 2 * 170_823, features: { kind: "csr", dim: 4714 } },
    report: { edgeRows: 171_002, selfLoops: 179, duplicateEdges: 0 },
  },
  {
    name: "tolokers",
    features: "features.npy",
    info: { numNodes: 11_758, numEdges: 2 * 519_000, features: { kind: "dense", dim: 10, values: "nonNegative" } },
    homophily: { share: 0.595, adjusted: 0.09 },
    report: { edgeRows: 519_000, duplicateEdges: 0 },
  },
  {
    name: "nell",
    features: "features.npz",
    info: { numNodes: 65_755, numEdges: 2 * 125_775, features: { kind: "csr", dim: 5414 } },
    report: { edgeRows: 125_775, duplicateEdges: 0 },
  },
];

async function filesOf(name: string, features: string | null): Promise<ArtifactDir> {
  const names = ["edges.csv.gz", "nodes.csv.gz", ...(features ? [features] : [])];
  const read = names.map(async (file) => [file, await readFile(join(datasets, name, file))] as const);
  return filesArtifact(Object.fromEntries(await Promise.all(read)));
}

function specOf(features: string | null) {
  return {
    edges: { files: ["edges.csv.gz"], src: "src", dst: "dst" },
    nodes: {
      files: ["nodes.csv.gz"],
      id: "id",
      label: "label",
      split: "split",
      features: features && { file: features },
    },
  };
}

async function idsOf(graph: ArtifactDir): Promise<string[]> {
  const ids = await openNodeIds(graph);
  const texts = idTexts(await ids.read(0, graph.manifest.info["numNodes"] as number));
  await ids.close();
  return texts;
}

describe.skipIf(!isThere)("real data sets, as they are", () => {
  it.each(expected)(
    "ingests $name with the published counts",
    { timeout: 60_000 },
    async ({ name, features, info, report, homophily }) => {
      const graph = await runStep(ingestStep, { files: await filesOf(name, features) }, specOf(features));
      expect(graph.manifest.info).toMatchObject({ ...info, report });
      if (homophily) {
        const { edges, same, expected: atRandom } = graphInfo.parse(graph.manifest.info).homophily!;
        expect(same / edges).toBeCloseTo(homophily.share, 2);
        expect((same / edges - atRandom) / (1 - atRandom)).toBeCloseTo(homophily.adjusted, 2);
      }
      const text = gunzipSync(await readFile(join(datasets, name, "nodes.csv.gz"))).toString();
      const first = text
        .split("\n")
        .slice(1, -1)
        .map((line) => line.split(",", 1)[0]);
      // page names of facebook-pages contain quoted line breaks; ids come first in each row of the others
      if (name !== "facebook-pages") expect(await idsOf(graph)).toEqual(first);
    },
  );

  it.each(expected)("proposes the mapping of $name", { timeout: 60_000 }, async ({ name, features }) => {
    const { manifest } = await runStep(mapStep, { files: await filesOf(name, features) }, { readers: {} });
    expect(manifest.info["proposed"]).toMatchObject(specOf(features));
    // Their nodes have further columns, each of which is named.
    for (const warning of manifest.info["warnings"] as string[])
      expect(warning).toMatch(/^nodes\.csv\.gz: ".* left out: /);
  });

  it("gives Cora the same digest from Parquet as from CSV", async () => {
    const dir = await mkdtemp(join(tmpdir(), "hopwise-cora-"));
    for (const name of ["edges", "nodes"]) {
      const from = join(datasets, "cora", `${name}.csv.gz`);
      await query(`COPY (SELECT * FROM read_csv('${from}')) TO '${join(dir, `${name}.parquet`)}' (FORMAT parquet)`);
    }
    const features = await readFile(join(datasets, "cora/features.npz"));
    const files = await filesArtifact({
      "edges.parquet": await readFile(join(dir, "edges.parquet")),
      "nodes.parquet": await readFile(join(dir, "nodes.parquet")),
      "features.npz": features,
    });
    const csv = specOf("features.npz");
    const parquet = {
      edges: { ...csv.edges, files: ["edges.parquet"] },
      nodes: { ...csv.nodes, files: ["nodes.parquet"] },
    };
    const fromParquet = await runStep(ingestStep, { files }, parquet);
    const fromCsv = await runStep(ingestStep, { files: await filesOf("cora", "features.npz") }, csv);
    expect(fromParquet.manifest.digest).toBe(fromCsv.manifest.digest);
  });
});
