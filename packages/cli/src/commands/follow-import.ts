import { setTimeout as pause } from "node:timers/promises";
import type { AnswerOf, HopwiseClient } from "@hopwise/client";
import { CliError } from "../cli-error.ts";
import type { CliContext } from "../context.ts";
import { duration } from "../output/progress.ts";
import { printable } from "../output/table.ts";

type Import = AnswerOf<"GET /v1/imports/:id">;

const lookEveryMs = 500;

/**
 * Follows an import to its end. An interrupt ends the program, not the import.
 *
 * @throws CliError when it fails or is cancelled
 */
export async function followImport({ client: open, output, streams }: CliContext, id: string): Promise<Import> {
  const client = await open();
  let told = "";
  const onLook = (now: Import) => {
    if (now.waitReason !== null && now.waitReason !== told) {
      told = now.waitReason;
      output.endStatus();
      output.note(printable(told));
    }
    output.status(importLine(now));
  };
  return endedImport(client, id, { signal: streams.signal, onLook }).finally(() => output.endStatus());
}

/**
 * Waits until an import has succeeded.
 *
 * @param onLook told of each look at one that goes on
 * @throws CliError when it fails or is cancelled; the signal's reason
 */
export async function endedImport(
  client: HopwiseClient,
  id: string,
  { signal, onLook }: { readonly signal: AbortSignal; readonly onLook: (now: Import) => void },
): Promise<Import> {
  for (;;) {
    const now = await client.call("GET /v1/imports/:id", { params: { id }, signal });
    if (now.state === "SUCCEEDED") return now;
    if (now.state === "FAILED" || now.state === "CANCELLED") {
      const reason = now.problem ? `: ${now.problem.code}: ${now.problem.detail}` : "";
      throw new CliError("jobFailed", `The import ${id} is ${now.state}${reason}`);
    }
    onLook(now);
    await pause(lookEveryMs, undefined, { signal });
  }
}

/** How far an import is: bytes, share, time left. */
export function importLine({
  bytesDone,
  bytesTotal,
  etaSeconds,
  files = [],
}: Pick<Import, "bytesDone" | "bytesTotal" | "etaSeconds"> & Partial<Pick<Import, "files">>) {
  const amount = bytesTotal === null ? `${bytesDone} bytes` : `${bytesDone} of ${bytesTotal} bytes`;
  const share = bytesTotal ? `${Math.floor((100 * bytesDone) / bytesTotal)} %` : "";
  const left = etaSeconds === null ? "" : `${duration(etaSeconds)} left`;
  const rows = files.some(({ rowsDone }) => rowsDone !== null)
    ? `${files.reduce((sum, { rowsDone }) => sum + (rowsDone ?? 0), 0)} rows`
    : "";
  return ["import:", amount, rows, share, left].filter(Boolean).join("  ");
}
