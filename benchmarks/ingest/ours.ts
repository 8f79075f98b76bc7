/**
 * Ingest of a plain edge CSV into an in-edge graph: parse, ids, undirected de-duplication, sort, files on disk.
 *
 * Figure: million rows per second of CPU time (all threads), from the CSV to the written artifact, so that a busy
 * machine does not change it; `details.seconds` is the wall time.
 * Ceiling: the same file read by a bare byte scanner that turns two integers a line into typed arrays and does
 * nothing else, measured in the same run: no quotes, no text ids, no index, no sort, no output.
 *
 *   ours.ts [--small]   a file that only shows that the benchmark runs
 */
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { loopback } from "../../packages/gnn-core/src/dist/loopback.ts";
import { SeededRandom } from "../../packages/gnn-core/src/generate/random.ts";
import type { ArtifactDir } from "../../packages/gnn-core/src/io/manifest.ts";
import { loadRegistry } from "../../packages/gnn-core/src/spec/index.ts";
import { ingestStep } from "../../packages/gnn-core/src/steps/ingest.step.ts";

const { values: asked } = parseArgs({
  options: { small: { type: "boolean" }, rows: { type: "string" }, ids: { type: "string", default: "integers" } },
});
const numRows = asked.small ? 20_000 : Number(asked.rows ?? 5_000_000);
const numNodes = Math.ceil(numRows / 10);
const hasTextIds = asked.ids === "text";

/** A customer's number as systems write them, or the plain number. */
function idOf(node: number): string {
  return hasTextIds ? `user-${node.toString(36).padStart(7, "0")}` : String(node);
}

function* lines(): Iterable<string> {
  const random = new SeededRandom(1);
  yield "src,dst\n";
  for (let row = 0; row < numRows; row += 1000) {
    let text = "";
    for (let i = 0; i < 1000; i++) text += `${idOf(random.integer(numNodes))},${idOf(random.integer(numNodes))}\n`;
    yield text;
  }
}

/** Two decimal integers a line, after a header line. */
async function scanIntegers(path: string): Promise<number> {
  const ends = new Int32Array(numRows * 2);
  let filled = 0;
  let value = 0;
  let isHeader = true;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    for (const byte of chunk as Uint8Array) {
      if (isHeader) isHeader = byte !== 0x0a;
      else if (byte === 0x2c || byte === 0x0a) {
        ends[filled++] = value;
        value = 0;
      } else value = value * 10 + byte - 0x30;
    }
  }
  return filled / 2;
}

/** Wall seconds of `work`, and CPU seconds in all threads of the process. */
async function secondsOf(work: () => Promise<unknown>): Promise<{ wall: number; cpu: number }> {
  const start = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { wall: (performance.now() - start) / 1000, cpu: (user + system) / 1e6 };
}

function filesOf(dir: string, bytes: number): ArtifactDir {
  const info = { files: [{ name: "edges.csv", blob: "edges.csv", bytes }] };
  const unused = { step: "upload", stepVersion: 1, engine: "bench", inputs: {}, options: {}, digest: "0".repeat(64) };
  return { dir, manifest: { version: 1, kind: "files", info, blobs: [], byteOrder: "little", ...unused } };
}

const dir = await mkdtemp(join(tmpdir(), "hopwise-bench-"));
try {
  const csv = join(dir, "edges.csv");
  await pipeline(Readable.from(lines()), createWriteStream(csv));
  const { size } = await stat(csv);
  const outDir = join(dir, "out");
  await mkdir(outDir);
  const registry = await loadRegistry();
  const options = ingestStep.options.parse({ edges: { files: ["edges.csv"], src: "src", dst: "dst" } });
  const rank = { rank: 0, worldSize: 1, localRank: 0, device: "cpu" as const, threads: 1, collective: loopback() };
  const signal = new AbortController().signal;
  let info: Record<string, unknown> = {};
  const ingesting = await secondsOf(async () => {
    const inputs = { files: filesOf(dir, size) };
    const context = {
      options,
      inputs,
      outDir,
      scratchDir: dir,
      rank,
      registry,
      resume: null,
      onEvent: () => {},
      signal,
    };
    info = (await ingestStep.run(context))?.info ?? {};
  });
  const peakRssBytes = process.resourceUsage().maxRSS * 1024;
  let scanned = 0;
  const scanning = await secondsOf(async () => {
    scanned = await scanIntegers(csv);
  });
  if (!hasTextIds && scanned !== numRows) throw new Error(`The scanner read ${scanned} rows; expected ${numRows}.`);
  const line = {
    topic: "ingest",
    figure: numRows / ingesting.cpu / 1e6,
    unit: "million rows/CPU-s",
    better: "higher",
    ceiling: numRows / scanning.cpu / 1e6,
    details: {
      numRows,
      numNodes: info["numNodes"],
      numEdges: info["numEdges"],
      fileBytes: size,
      seconds: ingesting.wall,
      cpuSeconds: ingesting.cpu,
      peakRssBytes,
      cpu: cpus()[0]?.model ?? "unknown",
    },
  };
  console.log(JSON.stringify(line));
} finally {
  await rm(dir, { recursive: true, force: true });
}
