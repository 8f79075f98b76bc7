import type { FastifyInstance } from "fastify";
import type { ExecutionResult } from "graphql";
import { type DeadlineOptions, withinDeadline } from "../../requests/within-deadline.ts";
import type { GraphqlContext } from "../base/builder.ts";
import { asGraphqlError } from "../base/graphql-errors.ts";
import { Work } from "../base/work.ts";
import type { Operation } from "./read-operation.ts";

/** Mercurius, which the application carries. */
export type Mercurius = FastifyInstance["graphql"];

/** Runs a query or mutation; its resolvers stop at the deadline. */
export async function runOperation(
  mercurius: Mercurius,
  { text, operationName, variables }: Operation,
  context: Omit<GraphqlContext, "work">,
  deadline: DeadlineOptions,
): Promise<ExecutionResult> {
  try {
    return await withinDeadline(deadline, async (signal) => {
      const work = new Work(signal);
      // Also the first step, which of an introspection is the whole. The text was read before: mercurius finds it
      // valid.
      return work.resolve(() => mercurius(text, { ...context, work }, { ...variables }, operationName ?? undefined));
    });
  } catch (error) {
    return { errors: [asGraphqlError(error)] };
  }
}
