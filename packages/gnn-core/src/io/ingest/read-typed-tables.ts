import type { DatasetSpec } from "../dataset-spec.ts";
import type { IngestContext } from "./ingest-context.ts";
import { joinRelations, readRelations, typedIdWarnings } from "./read-relations.ts";
import type { ReadTables } from "./read-tables.ts";
import { joinNodes, readTypedNodes } from "./read-typed-nodes.ts";
import { TypedFeatures } from "./typed-features.ts";
import { joinIds, type SharedId } from "./typed-ids.ts";

/** Reads a spec of a table for each type of node and each relation: one space of nodes, type after type. */
export async function readTypedTables(context: IngestContext, spec: DatasetSpec): Promise<ReadTables> {
  const features = new TypedFeatures(context.outDir, context.onFailure);
  const types = await readTypedNodes(context, spec.nodeTypes ?? {}, features);
  const relations = await readRelations(context, spec, types);
  const { list, shared } = joinIds(types);
  return {
    ids: list,
    hasTypeInIds: shared !== null,
    nodes: joinNodes(types),
    graphs: null,
    edges: joinRelations(relations),
    heldOut: null,
    // The edges that lead back are among the rows.
    rules: { duplicates: spec.duplicates, directed: true, reverseTypes: false },
    weightColumn: relations.find(({ section }) => section.weight !== null)?.section.weight ?? null,
    ofIds: [...typedIdWarnings(relations, types), ...(shared ? [sharedWarning(shared)] : [])],
    writeFeatures: () => features.finish(),
  };
}

function sharedWarning({ id, types: [one, other] }: SharedId): string {
  const [first, second] = [`${one}/${id}`, `${other}/${id}`].map((text) => JSON.stringify(text));
  return `${JSON.stringify(id)} is an id of "${one}" and of "${other}": all ids are written with their type, such as ${first} and ${second}.`;
}
