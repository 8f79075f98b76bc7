/**
 * Runs when the package is installed. The tarball brings the native library for the platform it was packed on; where
 * that does not load, it is compiled from the sources beside it. In the repository itself, script/build-native
 * compiles.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const library = join(root, "build", "hopwise.node");
const packages = "g++ make cmake libmetis-dev libgloo-dev libhiredis-dev libdnnl-dev libzmq3-dev libssl-dev";

/** @returns null when the library loads, else why it does not */
function whyNotLoaded() {
  try {
    require(library);
    return null;
  } catch (error) {
    return error.message;
  }
}

function compile() {
  const nodeInclude = resolve(process.execPath, "../../include/node");
  if (!existsSync(join(nodeInclude, "node_api.h"))) {
    throw new Error(`there is no node_api.h in ${nodeInclude}; it comes with the official Node archives.`);
  }
  const options = [
    "-S",
    join(root, "native"),
    "-B",
    join(root, "build"),
    `-DNODE_INCLUDE_DIR=${nodeInclude}`,
    `-DNODE_ADDON_API_DIR=${dirname(require.resolve("node-addon-api/package.json"))}`,
  ];
  execFileSync("cmake", options, { stdio: ["ignore", "ignore", "inherit"] });
  const build = ["--build", join(root, "build"), "--parallel", String(availableParallelism())];
  execFileSync("cmake", build, { stdio: ["ignore", "ignore", "inherit"] });
}

function main() {
  if (existsSync(join(root, "src"))) return;
  const reason = whyNotLoaded();
  if (reason === null) return;
  console.error(`@hopwise/gnn-core: the packed native library does not load (${reason}); compiling it.`);
  try {
    compile();
  } catch (error) {
    console.error(`@hopwise/gnn-core: compiling failed: ${error.message}`);
    console.error(`It needs, by their Debian names: ${packages}. Install them and run npm rebuild @hopwise/gnn-core.`);
    process.exitCode = 1;
    return;
  }
  const still = whyNotLoaded();
  if (still === null) return;
  console.error(`@hopwise/gnn-core: the compiled library does not load either: ${still}`);
  process.exitCode = 1;
}

main();
