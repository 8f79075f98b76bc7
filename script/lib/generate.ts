import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import {
  type GraphShapeName,
  generateShapedGraph,
  graphShapes,
  readShapedGraph,
  scaleShape,
  writeDatasetFiles,
} from "@hopwise/gnn-core";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string" },
    scale: { type: "string", default: "0.01" },
    seed: { type: "string", default: "1" },
    format: { type: "string", default: "upload" },
    "memory-mib": { type: "string", default: "256" },
    threads: { type: "string", default: String(availableParallelism()) },
  },
});
const [name = ""] = positionals;
const scale = Number(values.scale);

function complain(): never {
  console.error(
    `generate: expected ${Object.keys(graphShapes).join(" or ")}, --out DIR, --scale above 0, --format upload or arrays.`,
  );
  process.exit(1);
}
if (!(name in graphShapes) || values.out === undefined || !(scale > 0)) complain();
if (!["upload", "arrays"].includes(values.format)) complain();

const out = resolve(values.out);
const shape = scaleShape(graphShapes[name as GraphShapeName], scale);
const startedAt = performance.now();
const options = {
  seed: Number(values.seed),
  memoryBytes: Number(values["memory-mib"]) * 2 ** 20,
  threads: Number(values.threads),
};
await mkdir(out, { recursive: true });
const arrays = values.format === "arrays" ? out : await mkdtemp(join(out, "arrays-"));
const { numEdges } = await generateShapedGraph(arrays, shape, options);
if (values.format === "upload") {
  await writeDatasetFiles(out, await readShapedGraph(arrays));
  await rm(arrays, { recursive: true });
}
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
console.log(
  `${name} x ${scale}: ${shape.numNodes} nodes, ${numEdges} edges (both directions), ${shape.featureDim} features`,
);
console.log(
  `${((performance.now() - startedAt) / 1000).toFixed(1)} s, ${cpuSeconds.toFixed(1)} CPU s, peak RSS ${Math.round(maxRSS / 1024)} MiB`,
);
