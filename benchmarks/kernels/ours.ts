/**
 * The kernels of a training step on one thread, without Node: packages/gnn-core/native/bench/kernels.cc, which is built
 * here and prints the line.
 *
 *   ours.ts [--small]   sizes that only show that the benchmark runs
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
execFileSync("script/build-native", ["--bench"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
const program = join(root, "packages/gnn-core/build/linked/native-bench");
process.stdout.write(execFileSync(program, process.argv.slice(2)));
