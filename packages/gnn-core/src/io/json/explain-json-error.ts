import { GnnError } from "../../errors/gnn-error.ts";
import { isObject } from "./json-layout.ts";
import { filledLines, type JsonFile } from "./record-lines.ts";

const longNumber = /(?<!["\w.])-?\d{16,}(?![\w.])|-?\d+\.?\d*[eE]\+?\d{2,}/;

/** Says where a file that DuckDB refused is wrong, and what was expected there. */
export async function explainJsonError(file: JsonFile, cause: unknown): Promise<GnnError> {
  const isRounded = cause instanceof Error && cause.message.includes("rounded");
  return file.layout === "lines" ? ofLines(file, cause, isRounded) : ofArray(file, cause, isRounded);
}

async function ofLines(file: JsonFile, cause: unknown, isRounded: boolean): Promise<GnnError> {
  for await (const { line, text } of filledLines(file)) {
    const place = { file: file.name, line };
    if (isRounded && longNumber.test(text)) return rounded(`${file.name}, line ${line}`, cause, place);
    if (isRounded || isObject(text)) continue;
    const message = `${file.name}, line ${line}: found no whole JSON object; expected one on each line.`;
    return new GnnError("DATASET_ROW_INVALID", message, { cause, place });
  }
  return isRounded ? rounded(file.name, cause, { file: file.name }) : damaged(file.name, cause);
}

function ofArray({ name: file }: JsonFile, cause: unknown, isRounded: boolean): GnnError {
  if (isRounded) return rounded(file, cause, { file });
  const text = cause instanceof Error ? cause.message : "";
  if (text.includes("no object")) {
    const message = `${file}: an element of its array is no object; expected an object for each row.`;
    return new GnnError("DATASET_ROW_INVALID", message, { cause, place: { file } });
  }
  const record = Number(/in record\/value (\d+)/.exec(text)?.[1] ?? Number.NaN);
  if (Number.isNaN(record)) return damaged(file, cause);
  const message = `${file}: the array is damaged in element ${record}; expected objects with commas between them.`;
  return new GnnError("DATASET_ROW_INVALID", message, { cause, place: { file, line: record } });
}

function rounded(at: string, cause: unknown, place: { file: string; line?: number }): GnnError {
  const message = `${at}: a number has more digits than JSON readers keep, so that two ids could become one; write it in quotes.`;
  return new GnnError("DATASET_VALUE_INVALID", message, { cause, place });
}

function damaged(file: string, cause: unknown): GnnError {
  const message = `${file} is not JSON throughout; its end is missing, or a text in it is not UTF-8. Write it again.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { cause, place: { file } });
}
