import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { FromDuckDbReader, ToDuckDbReader } from "./duckdb-messages.ts";

// src/io/database and dist/io/database lie equally deep; it is the build that runs.
const program = fileURLToPath(new URL("../../../dist/io/database/duckdb-process.js", import.meta.url));

/** Why there is no answer: what DuckDB or our own code said, or how the process ended. */
export class ReaderFailure extends Error {
  /** The code of an error of ours; null: the words are DuckDB's, or those of a process that ended */
  readonly code: string | null;
  /** What ended the process; null: it still runs */
  readonly endedBy: string | null;

  constructor(words: string, code: string | null, endedBy: string | null) {
    super(words);
    this.code = code;
    this.endedBy = endedBy;
  }
}

/** A process that reads one DuckDB database; when its file brings it down, an error is all that is left of it. */
export class DuckDbReader {
  readonly #child: ChildProcess;
  readonly #lastWords: Promise<string>;
  readonly #ended: Promise<unknown[]>;

  constructor() {
    // It needs nothing of the environment, which may hold what a hostile file would like to know.
    this.#child = fork(program, {
      env: {},
      execArgv: [],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#lastWords = text(this.#child.stderr!).catch(() => "");
    this.#ended = once(this.#child, "exit");
    this.#ended.catch(() => undefined);
  }

  /** @throws ReaderFailure */
  async ask(asked: ToDuckDbReader): Promise<FromDuckDbReader> {
    const given = new AbortController();
    const answered = once(this.#child, "message", { signal: given.signal });
    answered.catch(() => undefined);
    // A process that has just ended is no longer told anything; that it has ended is what counts.
    this.#child.send(asked, () => undefined);
    try {
      const first = await Promise.race([answered, this.#ended.then(() => null)]);
      if (first === null) throw await this.#failure();
      const [said] = first as [FromDuckDbReader];
      if (said.answer === "failed") throw new ReaderFailure(said.words, said.code, null);
      return said;
    } finally {
      given.abort();
    }
  }

  async close(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended.catch(() => undefined);
  }

  async #failure(): Promise<ReaderFailure> {
    const [code, signal] = (await this.#ended) as [number | null, string | null];
    return new ReaderFailure((await this.#lastWords).slice(-4000), null, signal ?? `status ${code}`);
  }
}
