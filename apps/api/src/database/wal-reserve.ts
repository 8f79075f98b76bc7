import { access, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { isDiskFull } from "@hopwise/artifacts";

/** Bytes of a file of PGlite's write-ahead log */
const segmentBytes = 16 * 1024 * 1024;
/** What may be written between two looks, and what statements under way may need after that. */
const numSpare = 2;
const mostSegments = 8;
const lookEveryMs = 1000;

/** Runs a query on the engine itself, beside no other statement. */
type Query = (sql: string) => Promise<{ rows: unknown[] }>;

/**
 * Segments of the write-ahead log made before they are needed. To write to the log must never fail: PostgreSQL panics
 * then, and PGlite, which cannot start itself anew, spins for ever and the whole process with it. It takes a segment
 * that is there as it is, so with spare ones a full disk fails statements where they need space for rows, which is an
 * error like others.
 */
export class WalReserve {
  readonly #folder: string;
  readonly #query: Query;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isComplete = false;
  #looking: Promise<boolean> | null = null;

  constructor(dataDir: string, query: Query) {
    this.#folder = join(dataDir, "pg_wal");
    this.#query = query;
  }

  /** @returns whether the log has room for what is written until the next look */
  async hasRoom(): Promise<boolean> {
    if (performance.now() - this.#lookedAt < lookEveryMs) return this.#isComplete;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #look(): Promise<boolean> {
    this.#isComplete = await this.#complete();
    this.#lookedAt = performance.now();
    return this.#isComplete;
  }

  async #complete(): Promise<boolean> {
    const names = await this.#comingSegments();
    // Nobody else asks for checkpoints here: without them the log would grow for as long as the service runs.
    if (names.index % mostSegments === 0 && !(await this.#exists(names.spare.at(-1) ?? "")))
      await this.#query("CHECKPOINT");
    for (const name of names.spare) {
      if (!(await this.#exists(name)) && !(await this.#make(name))) return false;
    }
    return true;
  }

  /** The names after the present one, as `XLogFileName` makes them: timeline, then the number in two words. */
  async #comingSegments(): Promise<{ index: number; spare: string[] }> {
    const { rows } = await this.#query("SELECT pg_walfile_name(pg_current_wal_insert_lsn()) AS name");
    const { name } = rows[0] as { name: string };
    const perWord = 2 ** 32 / segmentBytes;
    const index = Number.parseInt(name.slice(8, 16), 16) * perWord + Number.parseInt(name.slice(16), 16);
    const word = (value: number) => value.toString(16).toUpperCase().padStart(8, "0");
    const nameOf = (i: number) => name.slice(0, 8) + word(Math.floor(i / perWord)) + word(i % perWord);
    return { index, spare: Array.from({ length: numSpare }, (_, i) => nameOf(index + 1 + i)) };
  }

  async #make(name: string): Promise<boolean> {
    const draft = join(this.#folder, "..", `${name}.draft`);
    try {
      const file = await open(draft, "w", 0o600);
      try {
        await file.writeFile(Buffer.alloc(segmentBytes)); // written, for a hole would not be room
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, join(this.#folder, name));
      return true;
    } catch (error) {
      await rm(draft, { force: true });
      if (isDiskFull(error)) return false;
      throw error;
    }
  }

  #exists(name: string): Promise<boolean> {
    return access(join(this.#folder, name)).then(
      () => true,
      () => false,
    );
  }
}
