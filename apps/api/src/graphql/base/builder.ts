import SchemaBuilder from "@pothos/core";
import ComplexityPlugin from "@pothos/plugin-complexity";
import PrismaPlugin from "@pothos/plugin-prisma";
import type { Viewer } from "../../auth/viewer.ts";
import type PrismaTypes from "../../generated/pothos-types.ts";
import { getDatamodel } from "../../generated/pothos-types.ts";
import type { Services } from "../../services.ts";
import type { Work } from "./work.ts";

/** What every resolver gets. */
export interface GraphqlContext {
  readonly services: Services;
  readonly viewer: Viewer;
  readonly requestId: string;
  readonly work: Work;
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
  // The fields' costs are added up before anything is run (operations/cost.ts), not by the plugin when it has begun.
  complexity: { disabled: true, defaultComplexity: 1, defaultListMultiplier: 10 },
});

builder.queryType({});
builder.mutationType({});
