import { initGraphQLTada } from "gql.tada";
import type { introspection } from "../generated/introspection.ts";

/** Typed documents: fields and variables are checked by tsc against apps/api/schema.graphql. */
export const graphql = initGraphQLTada<{
  introspection: typeof introspection;
  disableMasking: true;
  scalars: {
    /** Whole number up to 2^53 − 1. */
    SafeInt: number;
    /** ISO 8601. */
    DateTime: string;
    JSON: unknown;
    /** A JobSpec of contracts; the API checks it and answers with a JSON pointer. */
    JobSpecInput: unknown;
    /** A DatasetSpec of contracts. */
    DatasetSpecInput: unknown;
  };
}>();

export type { ResultOf, VariablesOf } from "gql.tada";
