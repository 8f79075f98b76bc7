/** `reading-process.ts PARTS STORAGE`: loads the parts, copies all feature rows, says so and waits to be killed. */
import { placeFeatures } from "../../src/features/place-features.ts";
import { readManifestFile } from "../../src/io/manifest-file.ts";
import { loadParts } from "../../src/partition/load-parts.ts";

const [dir = "", storage] = process.argv.slice(2);
const { features } = loadParts(await readManifestFile(dir));
if (!features) throw new Error("The parts have no features.");
await placeFeatures(features, storage === "memory" ? "memory" : "mapped");
for (let first = 0; first < features.numRows; first += 4096) {
  const count = Math.min(4096, features.numRows - first);
  features.gather(Int32Array.from({ length: count }, (_, i) => first + i));
}
process.send?.("read");
setInterval(() => features.numRows, 60_000);
