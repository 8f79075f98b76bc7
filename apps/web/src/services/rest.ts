import { isProblem, ProblemError, type ShownProblem, unreachable } from "./problem.ts";

/** An answer of the REST API: its status (202 means "being made") and its JSON body, null when empty. */
export interface RestAnswer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Calls the REST API with the session's cookie.
 * @throws ProblemError with what the API said, or that it did not answer
 */
export async function callRest(method: string, path: string, body?: unknown): Promise<RestAnswer> {
  const headers: Record<string, string> = { accept: "application/json" };
  const init: RequestInit = { method, credentials: "same-origin", headers };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    headers["content-type"] = "application/json";
  }
  const response = await fetch(path, init).catch(() => {
    throw new ProblemError(unreachable);
  });
  const parsed = parseJson(await response.text());
  if (!response.ok) throw new ProblemError(problemOfAnswer(response.status, parsed));
  return { status: response.status, body: parsed };
}

/** The problem of a refused call, also when a proxy answered instead of the API. */
export function problemOfAnswer(status: number, body: unknown): ShownProblem {
  if (isProblem(body)) return body;
  return {
    code: "INTERNAL",
    title: "The request failed",
    detail: `The service answered with status ${status} and no explanation; its log may say more.`,
  };
}

export function parseJson(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
