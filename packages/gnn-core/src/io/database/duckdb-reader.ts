import { fileURLToPath } from "node:url";
import { ReadingProcess } from "../reading-process.ts";
import type { FromDuckDbReader, ToDuckDbReader } from "./duckdb-messages.ts";

// src/io/database and dist/io/database lie equally deep; it is the build that runs.
const program = fileURLToPath(new URL("../../../dist/io/database/duckdb-process.js", import.meta.url));

/** A process that reads one DuckDB database. */
export class DuckDbReader extends ReadingProcess<ToDuckDbReader, FromDuckDbReader> {
  constructor() {
    super(program);
  }
}
