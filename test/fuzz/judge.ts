import { errorCodes } from "@hopwise/contracts";
import type { Answer } from "./exchange.ts";
import type { Outcome } from "./target.ts";

/** Answers of 5xx that say something about the moment, not about a fault of ours. */
const declared = new Set([503, 507]);

/** Whether an answer of REST is one that a stranger's nonsense may get. */
export function judgeAnswer(answer: Answer, isHead: boolean): Outcome {
  if (answer.how !== "answered") {
    return { kind: answer.how, fault: answer.how === "silent" ? "no answer came" : null };
  }
  const kind = String(answer.status);
  return { kind, fault: faultOfStatus(answer.status) ?? (isHead ? null : faultOfBody(answer)) };
}

function faultOfStatus(status: number): string | null {
  return status >= 500 && !declared.has(status) ? `the answer is ${status}` : null;
}

function faultOfBody({ status, type, body }: Extract<Answer, { how: "answered" }>): string | null {
  if (status < 400) return null;
  const problem = parseOrNull(body) as { code?: unknown; status?: unknown; errors?: unknown } | null;
  if (Array.isArray(problem?.errors)) return faultOfErrors(problem.errors);
  if (!type.startsWith("application/problem+json"))
    return `${status} is no problem+json but "${type}": ${body.slice(0, 300)}`;
  if (!isKnown(problem?.code)) return `${status} has no known code: ${body.slice(0, 300)}`;
  return problem?.status === status ? null : `${status} says that it is ${String(problem?.status)}`;
}

/** What is wrong with the errors of a GraphQL answer. */
export function faultOfErrors(errors: readonly unknown[]): string | null {
  for (const error of errors) {
    const { message, extensions } = (error ?? {}) as { message?: string; extensions?: { code?: unknown } };
    const code = extensions?.code;
    if (!isKnown(code)) return `an error without a known code (${String(code)}): ${message}`;
    if (code === "INTERNAL") return `an error of ours: ${message}`;
  }
  return null;
}

export function isKnown(code: unknown): boolean {
  return typeof code === "string" && Object.hasOwn(errorCodes, code);
}

export function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
