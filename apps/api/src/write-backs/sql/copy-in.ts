import type { Duplex } from "node:stream";
import type { Client, Connection, Submittable } from "pg";

/** What of a connection `COPY` works with: pg has it, and leaves it out of its types. */
type CopyConnection = Connection & {
  readonly stream: Duplex;
  query(sql: string): void;
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
};

/**
 * Sends rows to `COPY … FROM STDIN`, a piece when the connection has taken the one before: no more than that is held.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY
 *
 * @returns how many rows the server has taken
 * @throws what the server says, or what reading the rows throws
 */
export function copyIn(client: Client, sql: string, rows: AsyncIterable<Uint8Array>): Promise<number> {
  return new Promise((resolve, reject) => {
    client.query(new CopyIn(sql, rows, resolve, reject));
  });
}

/** What pg calls of a query on its connection while this one's answers come. */
class CopyIn implements Submittable {
  readonly #sql: string;
  readonly #rows: AsyncIterable<Uint8Array>;
  readonly #resolve: (numRows: number) => void;
  readonly #reject: (error: unknown) => void;
  #numRows = 0;
  #isOver = false;
  /** Why the rows ended; the server's answer to it is that it has heard so. */
  #cause: unknown = null;

  constructor(
    sql: string,
    rows: AsyncIterable<Uint8Array>,
    resolve: (numRows: number) => void,
    reject: (error: unknown) => void,
  ) {
    this.#sql = sql;
    this.#rows = rows;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: Connection): void {
    (connection as CopyConnection).query(this.#sql);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.#send(connection).catch((error: unknown) => {
      this.#cause = error;
      if (!this.#isOver) connection.sendCopyFail("The rows could not be read to their end.");
    });
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#numRows = Number(/^COPY (\d+)$/.exec(text)?.[1] ?? 0);
  }

  handleReadyForQuery(): void {
    this.#isOver = true;
    this.#resolve(this.#numRows);
  }

  handleError(error: unknown): void {
    this.#isOver = true;
    this.#reject(this.#cause ?? error);
  }

  async #send(connection: CopyConnection): Promise<void> {
    for await (const piece of this.#rows) {
      // The server has refused a row, or is gone: nobody hears what comes now.
      if (this.#isOver) return;
      connection.sendCopyFromChunk(piece);
      if (connection.stream.writableNeedDrain) await drained(connection.stream);
    }
    if (!this.#isOver) connection.endCopyFrom();
  }
}

/** Resolves when the stream takes more, or has ended. */
function drained(stream: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off("drain", done).off("close", done);
      resolve();
    };
    stream.on("drain", done).on("close", done);
  });
}
