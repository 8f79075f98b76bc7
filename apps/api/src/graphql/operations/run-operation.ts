import { AppError } from "@hopwise/contracts";
import { type ExecutionResult, execute } from "graphql";
import { asGraphqlError } from "../../errors/graphql-errors.ts";
import type { FairSlots } from "../../requests/fair-slots.ts";
import type { GraphqlContext } from "../builder.ts";
import { schema } from "../schema.ts";
import { Work } from "../work.ts";
import type { Operation } from "./read-operation.ts";

export interface RunOptions {
  readonly context: Omit<GraphqlContext, "work">;
  /** Whose operations share a number of slots. */
  readonly owner: string;
  readonly slots: FairSlots;
  readonly deadlineSeconds: number;
}

/**
 * Runs a query or mutation when it is its turn, and answers at the deadline at the latest. Its slot is free again when
 * the last resolver has stopped.
 */
export async function runOperation(
  { document, operationName, variables }: Operation,
  { context, owner, slots, deadlineSeconds }: RunOptions,
): Promise<ExecutionResult> {
  const deadline = new AbortController();
  const late = new Promise<ExecutionResult>((resolve) => {
    deadline.signal.addEventListener("abort", () => resolve({ errors: [asGraphqlError(deadline.signal.reason)] }));
  });
  const timer = setTimeout(() => deadline.abort(tooSlow(deadlineSeconds)), deadlineSeconds * 1000);
  const run = async (): Promise<ExecutionResult> => {
    const release = await slots.take(owner, deadline.signal);
    try {
      const contextValue: GraphqlContext = { ...context, work: new Work(deadline.signal) };
      return await execute({ schema, document, operationName, variableValues: variables, contextValue });
    } finally {
      release();
    }
  };
  try {
    return await Promise.race([run().catch((error: unknown) => ({ errors: [asGraphqlError(error)] })), late]);
  } finally {
    clearTimeout(timer);
  }
}

export function tooSlow(seconds: number): AppError {
  return new AppError(
    "REQUEST_DEADLINE",
    `The request was not done after ${seconds} seconds (HOPWISE_REQUEST_SECONDS); ask for less at once, or try again later.`,
  );
}
