import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { ArtifactError, type ArtifactErrorCode } from "../artifact-error.ts";

const codes: Readonly<Record<number, ArtifactErrorCode>> = {
  400: "ARTIFACT_KEY_INVALID",
  404: "ARTIFACT_MISSING",
  409: "ARTIFACT_EXISTS",
  416: "ARTIFACT_RANGE_INVALID",
  507: "STORAGE_FULL",
};
const longestProblem = 16_384;

/** Whether the same request may do later: the service is away, or busy. */
export function isPassing({ statusCode = 0 }: IncomingMessage): boolean {
  // Who waits for room on the store's disk does so knowingly.
  if (statusCode === 507) return false;
  return statusCode >= 500 || statusCode === 429 || statusCode === 408;
}

/** How long it asks to be left alone. */
export function retryAfterMs({ headers }: IncomingMessage): number {
  const seconds = Number(headers["retry-after"]);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), 60) * 1000 : 0;
}

/** The error behind an answer that is neither a success nor passing. */
export async function refusalOf(response: IncomingMessage, what: string): Promise<ArtifactError> {
  const { statusCode = 0 } = response;
  const detail = await detailOf(response);
  return new ArtifactError(codes[statusCode] ?? "ARTIFACT_REFUSED", `${what}: ${detail ?? `status ${statusCode}`}`);
}

/** What an RFC 9457 problem says for people. */
export async function detailOf(response: IncomingMessage): Promise<string | null> {
  if (Number(response.headers["content-length"] ?? 0) > longestProblem) {
    response.destroy();
    return null;
  }
  try {
    const { detail } = JSON.parse(await text(response)) as { detail?: unknown };
    return typeof detail === "string" ? detail : null;
  } catch {
    return null;
  }
}
