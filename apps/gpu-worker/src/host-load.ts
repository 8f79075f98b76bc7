import { cpus, freemem, totalmem } from "node:os";
import type { WorkerLoad } from "@hopwise/contracts";

interface Times {
  readonly busy: number;
  readonly all: number;
}

/** How busy this host is, by whatever program: over the time since it was last asked for. */
export class HostLoad {
  #before = timesOf();

  read(): WorkerLoad {
    const now = timesOf();
    const [busy, all] = [now.busy - this.#before.busy, now.all - this.#before.all];
    this.#before = now;
    return {
      busyCores: all > 0 ? (busy / all) * cpus().length : 0,
      memoryUsedBytes: totalmem() - freemem(),
    };
  }
}

/** Milliseconds that the cores of the host have spent, in all and not idle. */
function timesOf(): Times {
  const times = cpus().map((core) => core.times);
  const idle = times.reduce((sum, one) => sum + one.idle, 0);
  const all = times.reduce((sum, one) => sum + one.user + one.nice + one.sys + one.irq + one.idle, 0);
  return { busy: all - idle, all };
}
