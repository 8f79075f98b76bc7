import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** Why there is no answer: what the process said of it, or how it ended. */
export class ReaderFailure extends Error {
  /** The code of an error of ours; null: the words are those of a library, or of a process that ended */
  readonly code: string | null;
  /** What ended the process; null: it still runs */
  readonly endedBy: string | null;

  constructor(words: string, code: string | null, endedBy: string | null) {
    super(words);
    this.code = code;
    this.endedBy = endedBy;
  }
}

export interface SaidFailed {
  readonly answer: "failed";
  /** That of an error of ours; null: the words are a library's */
  readonly code: string | null;
  readonly words: string;
}

/**
 * A process that reads one file for this one, which asks it one thing at a time. When the file brings it down, an error
 * is all that is left of it.
 */
export class ReadingProcess<Asked extends object, Said extends { readonly answer: string }> {
  readonly #child: ChildProcess;
  readonly #lastWords: Promise<string>;
  readonly #ended: Promise<unknown[]>;
  readonly #answerMs: number | null;

  /** @param answerMs how long it may think; null: as long as it likes */
  constructor(program: string, answerMs: number | null = null) {
    // It needs nothing of the environment, which may hold what a hostile file would like to know.
    this.#child = fork(program, {
      env: {},
      execArgv: [],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#answerMs = answerMs;
    this.#lastWords = text(this.#child.stderr!).catch(() => "");
    this.#ended = once(this.#child, "exit");
    this.#ended.catch(() => undefined);
  }

  /** @throws ReaderFailure */
  async ask(asked: Asked): Promise<Exclude<Said, SaidFailed>> {
    const given = new AbortController();
    const answered = once(this.#child, "message", { signal: given.signal });
    answered.catch(() => undefined);
    let isLate = false;
    const late = () => {
      isLate = true;
      this.#child.kill("SIGKILL");
    };
    const timer = this.#answerMs === null ? null : setTimeout(late, this.#answerMs);
    // A process that has just ended is no longer told anything; that it has ended is what counts.
    this.#child.send(asked, () => undefined);
    try {
      const first = await Promise.race([answered, this.#ended.then(() => null)]);
      if (first === null) throw isLate ? new ReaderFailure("", null, "late") : await this.#failure();
      const [said] = first as [Said | SaidFailed];
      if (isFailed(said)) throw new ReaderFailure(said.words, said.code, null);
      return said as Exclude<Said, SaidFailed>;
    } finally {
      if (timer) clearTimeout(timer);
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

function isFailed(said: { readonly answer: string }): said is SaidFailed {
  return said.answer === "failed";
}
