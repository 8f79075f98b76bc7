import { GnnError } from "../../errors/gnn-error.ts";
import { isOutOfMemory } from "../duckdb/connect.ts";
import { QueryObjection } from "./query-tree.ts";

const mostWords = 400;

/**
 * What is wrong with somebody's query, with its file and, where it is known, its line; what is wrong with the process
 * that runs it stays as it is.
 *
 * @param text the query, by which the place of an objection is counted
 */
export function queryFailure(file: string, error: unknown, text = ""): unknown {
  if (error instanceof QueryObjection) {
    const line = error.position === null ? null : text.slice(0, error.position).split("\n").length;
    return failure(file, line, error.message);
  }
  if (!(error instanceof Error) || error instanceof GnnError || isOutOfMemory(error)) return error;
  if (!/^[A-Z][A-Za-z ]* Error: /.test(error.message) || /^(IO|Fatal|INTERNAL) /.test(error.message)) return error;
  const [said = ""] = error.message.split(/\n\s*\nLINE \d+:/);
  const [, line] = /\nLINE (\d+):/.exec(error.message) ?? [];
  return failure(file, line === undefined ? null : Number(line), `DuckDB says: ${said.replaceAll(/\s+/g, " ").trim()}`);
}

function failure(file: string, line: number | null, words: string): GnnError {
  const at = line === null ? "" : `, line ${line}`;
  const message = `${file}${at}: ${words.slice(0, mostWords)}${/[.!?]$/.test(words) ? "" : "."}`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file, ...(line !== null && { line }) } });
}
