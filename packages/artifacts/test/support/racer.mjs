// node racer.mjs MODULE LOCK: on each "go" takes the lock or is refused and says which, and lets go of it at "over".
import { createInterface } from "node:readline";

const [module, path] = process.argv.slice(2);
const { lockFolder } = await import(module);
let lock = null;
process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "go") {
    lock = await lockFolder(path).catch(() => null);
    process.stdout.write(lock ? "held\n" : "refused\n");
  } else {
    await lock?.release();
    lock = null;
    process.stdout.write("done\n");
  }
}
