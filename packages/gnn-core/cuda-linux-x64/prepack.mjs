/** Runs before the package is packed: it takes what script/build-cuda --gpu has compiled. */
import { copyFileSync, existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const compiled = fileURLToPath(new URL("../build/hopwise-cuda.node", import.meta.url));
if (!existsSync(compiled)) {
  console.error(`There is no ${compiled}; run script/build-cuda --gpu on a host with nvcc first.`);
  process.exit(1);
}
copyFileSync(compiled, fileURLToPath(new URL("hopwise-cuda.node", import.meta.url)));
