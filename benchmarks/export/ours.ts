/**
 * How many rows of embeddings, each under its own text id, become a Parquet file in a second?
 *
 * Figure: million rows per second of the wall clock, from the arrays of a finished job to the file; `details` has the
 * CPU seconds of all threads, and the other formats.
 * Ceiling: the same vectors and ids read and written as they lie on disk, in the same run: nothing is converted.
 *
 *   ours.ts [--rows 2000000] [--dim 16] [--small]
 */
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { type EmbeddingFormat, exportEmbeddings } from "../../packages/gnn-core/src/export/export-embeddings.ts";
import { TableShapes } from "../../packages/gnn-core/src/export/table-shapes.ts";
import { SeededRandom } from "../../packages/gnn-core/src/generate/random.ts";
import { writeIds } from "../../packages/gnn-core/src/io/ingest/write-ids.ts";
import type { ArtifactDir } from "../../packages/gnn-core/src/io/manifest.ts";
import { NpyWriter } from "../../packages/gnn-core/src/io/npy.ts";
import { StepProgress } from "../../packages/gnn-core/src/io/step-progress.ts";
import { loadRegistry } from "../../packages/gnn-core/src/spec/index.ts";

const { values: asked } = parseArgs({
  options: { rows: { type: "string" }, dim: { type: "string", default: "16" }, small: { type: "boolean" } },
});
const numRows = asked.small ? 5000 : Number(asked.rows ?? 2_000_000);
const dim = Number(asked.dim);
const formats: readonly EmbeddingFormat[] = ["parquet", "arrow", "npy", "jsonl", "csv"];

function* ids(): Iterable<string> {
  for (let node = 0; node < numRows; node++) yield `user-${node.toString(36).padStart(7, "0")}`;
}

/** The parts of a graph and of a job's rows that an export reads. */
async function writeSources(dir: string): Promise<{ graph: ArtifactDir; remapped: ArtifactDir }> {
  await mkdir(join(dir, "nodes/ids"), { recursive: true });
  await writeIds(dir, { size: numRows, isInt64: false, ids });
  const random = new SeededRandom(1);
  const writer = await NpyWriter.open(join(dir, "embeddings.npy"), "float32", [dim]);
  for (let row = 0; row < numRows; row += 1000) {
    const count = Math.min(1000, numRows - row);
    await writer.append(Float32Array.from({ length: count * dim }, () => random.normal()));
  }
  await writer.close();
  const made = { stepVersion: 1, engine: "bench", inputs: {}, options: {}, digest: "0".repeat(64) };
  const manifest = { version: 1 as const, blobs: [], byteOrder: "little" as const, ...made };
  const graphInfo = { numNodes: numRows, numEdges: 0, idType: "string", directed: false };
  return {
    graph: { dir, manifest: { ...manifest, kind: "graph", step: "ingest", info: graphInfo } },
    remapped: { dir, manifest: { ...manifest, kind: "remapped", step: "remap", info: { numNodes: numRows, dim } } },
  };
}

/** Wall seconds of `work`, and CPU seconds in all threads of the process. */
async function secondsOf(work: () => Promise<unknown>): Promise<{ wall: number; cpu: number }> {
  const start = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { wall: (performance.now() - start) / 1000, cpu: (user + system) / 1e6 };
}

/** The bytes of all that is exported, read and written. */
async function copyFiles(dir: string): Promise<void> {
  for (const name of ["embeddings.npy", "nodes/ids/bytes.npy", "nodes/ids/offsets.npy"])
    await pipeline(createReadStream(join(dir, name)), createWriteStream(join(dir, "copy")));
}

const dir = await mkdtemp(join(tmpdir(), "hopwise-bench-"));
try {
  const { graph, remapped } = await writeSources(dir);
  const registry = await loadRegistry();
  const progress = new StepProgress({ onEvent: () => {}, signal: new AbortController().signal });
  const outDir = join(dir, "out");
  await mkdir(outDir);
  const sources = {
    graph,
    remapped,
    recommended: null,
    edges: null,
    outDir,
    progress,
    registry,
    tables: new TableShapes(),
    only: null,
  };
  const columns = { id: "id", vector: "embedding" };
  const measured: Record<string, { wall: number; cpu: number; bytes: number }> = {};
  for (const format of formats) {
    const seconds = await secondsOf(() => exportEmbeddings(sources, format, columns));
    const { size } = await stat(join(outDir, `embeddings.${format}`));
    measured[format] = { ...seconds, bytes: size };
    await rm(join(outDir, `embeddings.${format}`));
  }
  const copying = await secondsOf(() => copyFiles(dir));
  const line = {
    topic: "export",
    figure: numRows / measured["parquet"]!.wall / 1e6,
    unit: "million rows/s",
    better: "higher",
    ceiling: numRows / copying.wall / 1e6,
    details: {
      numRows,
      dim,
      ...measured,
      peakRssBytes: process.resourceUsage().maxRSS * 1024,
      cpu: cpus()[0]?.model ?? "unknown",
    },
  };
  console.log(JSON.stringify(line));
} finally {
  await rm(dir, { recursive: true, force: true });
}
