import { AppError, limits } from "@hopwise/contracts";
import SchemaBuilder from "@pothos/core";
import ComplexityPlugin from "@pothos/plugin-complexity";
import PrismaPlugin from "@pothos/plugin-prisma";
import type { Viewer } from "../auth/viewer.ts";
import type PrismaTypes from "../generated/pothos-types.ts";
import { getDatamodel } from "../generated/pothos-types.ts";
import type { Services } from "../services.ts";

/** What every resolver gets. */
export interface GraphqlContext {
  readonly services: Services;
  readonly viewer: Viewer;
  readonly requestId: string;
}

export interface ApiTypes {
  Context: GraphqlContext;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    SafeInt: { Input: number; Output: number | bigint };
    JSON: { Input: unknown; Output: unknown };
    DateTime: { Input: Date; Output: Date | string };
    JobSpecInput: { Input: Record<string, unknown>; Output: never };
    DatasetSpecInput: { Input: Record<string, unknown>; Output: never };
  };
}

export const builder = new SchemaBuilder<ApiTypes>({
  plugins: [ComplexityPlugin, PrismaPlugin],
  defaultFieldNullability: false,
  prisma: { client: (context) => context.services.prisma, dmmf: getDatamodel(), onUnusedQuery: null },
  complexity: {
    defaultComplexity: 1,
    defaultListMultiplier: 5,
    limit: { complexity: limits.graphqlComplexity, depth: limits.graphqlDepth },
    complexityError: (kind, result) =>
      new AppError(
        "REQUEST_INVALID",
        `The query's ${kind} is above the limit (${JSON.stringify(result)}); ask for fewer nested lists or smaller pages.`,
      ),
  },
});

builder.queryType({});
builder.mutationType({});
