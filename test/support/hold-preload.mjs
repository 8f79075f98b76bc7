// Loaded into every process of a stack by `Hold`: stops the first one that comes to the point it is told to stop at.
import { subscribe } from "node:diagnostics_channel";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const dir = process.env.HOPWISE_TEST_HOLD;
const [planFile, heldFile] = [join(dir, "plan.json"), join(dir, "held.json")];

/** The points of the engine (gnn-core/src/dist/points.ts) and of the artifact store. */
for (const point of ["sampled", "remote-read", "remote-sample", "all-reduce", "checkpoint-write", "manifest-put"]) {
  subscribe(`hopwise:${point}`, (message) => hold(point, message));
}

function hold(point, message) {
  const plan = readPlan();
  if (!plan) return;
  const { point: wanted, where } = plan;
  if (point !== wanted || !Object.entries(where).every(([name, value]) => isMatch(message[name], value))) return;
  try {
    writeFileSync(heldFile, JSON.stringify({ ...message, pid: process.pid }), { flag: "wx" });
  } catch {
    return; // another process is held already
  }
  const nobodyWakesUs = new Int32Array(new SharedArrayBuffer(4));
  while (existsSync(planFile)) Atomics.wait(nobodyWakesUs, 0, 0, 10);
}

/** Null when there is none; it may be taken away at any moment. */
function readPlan() {
  try {
    return JSON.parse(readFileSync(planFile, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

/** Numbers are equal, texts contain what is wanted. */
function isMatch(found, wanted) {
  return typeof wanted === "string" ? String(found).includes(wanted) : found === wanted;
}
