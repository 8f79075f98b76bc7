import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A control group of the kernel with a limit of memory, for processes of a test. Making one takes root. */
export class MemoryGroup {
  readonly #dir: string;

  /** null where this process may not make one */
  static make(limitBytes: number): MemoryGroup | null {
    try {
      return new MemoryGroup(limitBytes);
    } catch {
      return null;
    }
  }

  private constructor(limitBytes: number) {
    const root = "/sys/fs/cgroup";
    const isVersion1 = readFileSync("/proc/self/cgroup", "utf8").includes(":memory:");
    this.#dir = join(root, isVersion1 ? "memory" : "", `hopwise-test-${process.pid}`);
    mkdirSync(this.#dir);
    try {
      writeFileSync(join(this.#dir, isVersion1 ? "memory.limit_in_bytes" : "memory.max"), String(limitBytes));
    } catch (error) {
      this.remove(); // the memory controller is not enabled for this part of the tree
      throw error;
    }
  }

  /** Moves a process there; those that it starts from then on are there, too. */
  add(pid: number): void {
    writeFileSync(join(this.#dir, "cgroup.procs"), String(pid));
  }

  /** After its last process has ended. */
  remove(): void {
    rmdirSync(this.#dir);
  }
}
