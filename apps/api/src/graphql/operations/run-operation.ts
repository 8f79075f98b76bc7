import { type ExecutionResult, execute } from "graphql";
import { asGraphqlError } from "../../errors/graphql-errors.ts";
import { type DeadlineOptions, withinDeadline } from "../../requests/within-deadline.ts";
import type { GraphqlContext } from "../builder.ts";
import { schema } from "../schema.ts";
import { Work } from "../work.ts";
import type { Operation } from "./read-operation.ts";

/** Runs a query or mutation; its resolvers stop at the deadline. */
export async function runOperation(
  { document, operationName, variables: variableValues }: Operation,
  context: Omit<GraphqlContext, "work">,
  deadline: DeadlineOptions,
): Promise<ExecutionResult> {
  try {
    return await withinDeadline(deadline, async (signal) => {
      const work = new Work(signal);
      const contextValue: GraphqlContext = { ...context, work };
      // Also the first step, which of an introspection is the whole.
      return work.resolve(() => execute({ schema, document, operationName, variableValues, contextValue }));
    });
  } catch (error) {
    return { errors: [asGraphqlError(error)] };
  }
}
