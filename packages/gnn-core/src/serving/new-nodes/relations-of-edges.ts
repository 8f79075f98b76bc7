import { GnnError } from "../../errors/gnn-error.ts";
import type { DatasetSpec } from "../../io/dataset-spec.ts";
import type { GraphInfo } from "../../io/ingest/ingest-report.ts";
import { relationTypes } from "../../io/relation-types.ts";
import type { TypesOfModel } from "../../spec/types-of-model.ts";
import { placeOf, shown, some } from "./new-node.ts";

/** What edges of one name in the files become, as the ingest of the dataset stored them. */
export interface RelationOfEdges {
  readonly name: string;
  /** Type of the stored edge, an index into the graph's types of edges */
  readonly code: number;
  /** Type of the edge that leads back; null: none is stored */
  readonly back: number | null;
  /** What a self-loop's edge back is: a second edge, or none */
  readonly turnsLoops: boolean;
  /** Types of the nodes at both ends; null: any */
  readonly ends: { readonly source: string; readonly target: string } | null;
  /** Whether its files say what an edge weighs; where those of others do alone, it weighs 1 */
  readonly hasWeights: boolean;
}

/** The relations that an edge of a request may name: those of the files. Those that lead back follow by themselves. */
export function relationsOfEdges(
  { edgeTypes }: Pick<GraphInfo, "edgeTypes">,
  { edges, relations, directed }: Pick<DatasetSpec, "edges" | "relations" | "directed">,
): readonly RelationOfEdges[] {
  if (relations) {
    const names = relationTypes(relations);
    return relations.map(({ source, target, weight }, i) => {
      const { forward, back } = names[i] as (typeof names)[number];
      return {
        name: forward,
        code: edgeTypes.indexOf(forward),
        back: back === null ? null : edgeTypes.indexOf(back),
        turnsLoops: true,
        ends: { source, target },
        hasWeights: weight !== null,
      };
    });
  }
  const isTurned = edges?.reverseTypes ?? false;
  const own = isTurned ? edgeTypes.slice(0, edgeTypes.length / 2) : edgeTypes;
  return own.map((name, code) => {
    const back = isTurned ? code + own.length : code;
    const hasWeights = (edges?.weight ?? null) !== null;
    return { name, code, back: directed ? null : back, turnsLoops: false, ends: null, hasWeights };
  });
}

/**
 * Those that a model has learnt, as it counts them.
 *
 * @param types of the model; null: it counts them as the graph does
 */
export function relationsOfModel(
  relations: readonly RelationOfEdges[],
  { edgeTypes }: Pick<GraphInfo, "edgeTypes">,
  types: TypesOfModel | null,
): readonly RelationOfEdges[] {
  if (!types) return relations;
  const codeOf = (code: number) => types.edges.indexOf(edgeTypes[code] as string);
  return relations
    .map((relation) => {
      const back = relation.back === null ? -1 : codeOf(relation.back);
      return { ...relation, code: codeOf(relation.code), back: back < 0 ? null : back };
    })
    .filter(({ code }) => code >= 0);
}

/**
 * The relation that an edge names; where there is one only, it need not.
 *
 * @param areNamed whether edges of the dataset have types
 * @throws GnnError SPEC_INVALID of a relation that the graph lacks, that leads back, or of none
 */
export function relationOf(
  asked: string | undefined,
  relations: readonly RelationOfEdges[],
  { at, edge, areNamed, edgeTypes }: { at: number; edge: number; areNamed: boolean; edgeTypes: readonly string[] },
): RelationOfEdges {
  const [first] = relations as readonly [RelationOfEdges];
  const invalid = (message: string) =>
    new GnnError("SPEC_INVALID", message, { place: placeOf(at, "edges", edge, "relation") });
  if (!areNamed) {
    if (asked === undefined) return first;
    throw invalid("Edges of this graph have no types; leave the relation out.");
  }
  const names = some(relations.map(({ name }) => name));
  if (asked === undefined) {
    // Where a cell may be empty, such edges are of a type without a name.
    const only = relations.length === 1 ? first : relations.find(({ name }) => name === "");
    if (only) return only;
    throw invalid(`The edge names no relation; expected one of ${names}.`);
  }
  const found = relations.find(({ name }) => name === asked);
  if (found) return found;
  const forward = relations.find(({ back }) => back !== null && edgeTypes[back] === asked);
  if (forward) {
    const instead = `name ${forward.name} and the other end by from in place of to, or the other way round`;
    throw invalid(`${shown(asked)} are the edges that lead back, which are added by themselves; ${instead}.`);
  }
  throw invalid(`There is no relation ${shown(asked)}; expected one of ${names}.`);
}
