import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A disk of a few megabytes of its own, which a test can fill and empty. */
export class SmallDisk {
  readonly dir: string;
  readonly #ballast: string;

  constructor(megabytes: number) {
    this.dir = mkdtempSync(join(tmpdir(), "hopwise-disk-"));
    this.#ballast = join(this.dir, "ballast");
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", this.dir], { stdio: "pipe" });
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.dir);
    return bavail * bsize;
  }

  /** Leaves so many bytes free. */
  fill(leave = 0): void {
    this.empty();
    try {
      writeFileSync(this.#ballast, Buffer.alloc(Math.max(0, this.freeBytes - leave)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error; // others were quicker: it is full
    }
  }

  empty(): void {
    rmSync(this.#ballast, { force: true });
  }

  remove(): void {
    execFileSync("umount", ["--lazy", this.dir]);
    rmdirSync(this.dir);
  }
}

/** Whether this process may mount one; where it may not, tests of full disks are skipped, visibly. */
export const canMountDisks = (() => {
  try {
    new SmallDisk(1).remove();
    return true;
  } catch {
    return false;
  }
})();
