import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";

/**
 * A thread of its own in every rank: it works while native code holds the main thread. It ends the process when the
 * worker that started it is gone (a rank must not outlive its worker), and writes the rank's pulse to the pulse pipe.
 */
const { counters, parent, pulseFile } = workerData as {
  /** int32 [2]: advance, whether inside a collective */
  counters: Int32Array;
  parent: number;
  pulseFile: number;
};

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGKILL");
  const { user, system } = process.cpuUsage();
  const cpuMs = Math.trunc((user + system) / 1000);
  try {
    writeSync(pulseFile, `${Atomics.load(counters, 0) >>> 0} ${Atomics.load(counters, 1)} ${cpuMs}\n`);
  } catch {
    // The pipe is full or closed: the next pulse, or the check above, will tell.
  }
}, 500);
