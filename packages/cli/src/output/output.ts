import type { CliStreams } from "../context.ts";
import { formatTable } from "./table.ts";

/** Results go to stdout, as text or JSON; what is told on the way goes to stderr. */
export class Output {
  readonly isJson: boolean;
  readonly #streams: CliStreams;

  constructor(streams: CliStreams, isJson: boolean) {
    this.#streams = streams;
    this.isJson = isJson;
  }

  get isTerminal(): boolean {
    return this.#streams.stderr.isTTY === true;
  }

  /** The one result of a command: `value` with `--json`, else the text. */
  result(value: unknown, text: string): void {
    this.#streams.stdout.write(this.isJson ? `${JSON.stringify(value, null, 2)}\n` : text === "" ? "" : `${text}\n`);
  }

  /** A line of a result that comes bit by bit, such as a log. */
  line(value: unknown, text: string): void {
    this.#streams.stdout.write(`${this.isJson ? JSON.stringify(value) : text}\n`);
  }

  /** A list as a table: a row for each item, cells in the order of the heads. */
  table<T>(items: readonly T[], value: unknown, columns: Readonly<Record<string, (item: T) => string>>): void {
    const rows = items.map((item) => Object.values(columns).map((cell) => cell(item)));
    this.result(value, formatTable(Object.keys(columns), rows));
  }

  /** Something for the reader, not for programs. */
  note(text: string): void {
    this.#streams.stderr.write(`${text}\n`);
  }

  /** A line in place of the last one, where a terminal can do that. */
  status(text: string): void {
    if (this.isTerminal) this.#streams.stderr.write(`\r\u001b[2K${text}`);
  }

  /** Ends a line of `status`. */
  endStatus(): void {
    if (this.isTerminal) this.#streams.stderr.write("\r\u001b[2K");
  }
}
