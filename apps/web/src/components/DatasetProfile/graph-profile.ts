import type { ArtifactInfo } from "@hopwise/contracts";
import type { datasetQuery } from "../../services/documents/datasets.ts";
import type { ResultOf } from "../../services/graphql.ts";

type Version = NonNullable<NonNullable<ResultOf<typeof datasetQuery>["dataset"]>["version"]>;

/** The graph of a version, as the page asks for it. */
export type Graph = NonNullable<Version["graph"]>;
export type GraphReport = NonNullable<Version["report"]>;
export type GraphProfile = NonNullable<ArtifactInfo<"graph">["profile"]>;

/** Profiles travel as JSON; ingest made them with the type named here. null: it was an earlier version's ingest */
export function profileOf(graph: { readonly profile: unknown } | null): GraphProfile | null {
  return (graph?.profile ?? null) as GraphProfile | null;
}
