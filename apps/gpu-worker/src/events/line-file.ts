import { appendFileSync, closeSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isDiskFull } from "@hopwise/artifacts";

const tryAgainMs = 1000;

/**
 * A file of lines that also stand in its owner's memory. On a full disk it falls behind that, possibly with half a line
 * at its end, and is written anew as soon as there is room: that must neither end the worker nor hide what comes later.
 */
export class LineFile {
  readonly #path: string;
  /** Everything that the file should hold. */
  readonly #lines: () => Iterable<string>;
  #file: number | null = null;
  #isBehind = false;
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor(path: string, lines: () => Iterable<string>) {
    this.#path = path;
    this.#lines = lines;
    this.rewrite();
  }

  /** Adds a line that is among those in memory already. */
  append(line: string): void {
    if (this.#isBehind || this.#file === null) return this.catchUp();
    const file = this.#file;
    this.#unlessFull(() => appendFileSync(file, `${line}\n`));
  }

  /** Writes all beside the file and renames: a death in between leaves the old file whole. */
  rewrite(): void {
    this.#triedAt = performance.now();
    const draft = `${this.#path}.new`;
    this.#unlessFull(() => {
      writeFileSync(draft, `${[...this.#lines()].join("\n")}\n`);
      renameSync(draft, this.#path);
      this.close();
      this.#file = openSync(this.#path, "a");
      this.#isBehind = false;
    });
    if (this.#isBehind) rmSync(draft, { force: true });
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  /** Writes what it is behind by, if there may be room by now. */
  catchUp(): void {
    if (this.#isBehind && performance.now() - this.#triedAt >= tryAgainMs) this.rewrite();
  }

  #unlessFull(write: () => void): void {
    try {
      write();
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      this.#isBehind = true;
    }
  }
}
