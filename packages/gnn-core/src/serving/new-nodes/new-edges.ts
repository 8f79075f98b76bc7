import { GnnError } from "../../errors/gnn-error.ts";
import type { DatasetSpec } from "../../io/dataset-spec.ts";
import { type NewEdge, type NewNode, placeOf, shown } from "./new-node.ts";
import { type RelationOfEdges, relationOf } from "./relations-of-edges.ts";
import type { RowsById } from "./rows-by-id.ts";

/** Edges with a new node at one end at least, as they would be stored; rows by NodeIndex. */
export interface NewEdges {
  readonly src: readonly number[];
  readonly dst: readonly number[];
  /** null: edges of the graph have none */
  readonly weights: readonly number[] | null;
  /** An index into the graph's types of edges */
  readonly types: readonly number[];
}

/** What of the graph decides how edges are read */
export interface EdgeRules {
  readonly spec: Pick<DatasetSpec, "duplicates" | "selfLoops">;
  readonly hasWeights: boolean;
  readonly relations: readonly RelationOfEdges[];
  /** Whether edges of the dataset have types, and what all of them are called */
  readonly areNamed: boolean;
  readonly edgeTypes: readonly string[];
}

/** An edge of the request between rows */
interface GivenEdge {
  readonly relation: RelationOfEdges;
  readonly src: number;
  readonly dst: number;
  readonly weight: number;
  readonly at: number;
  readonly edge: number;
}

/**
 * The edges of new nodes by the rules of their dataset: undirected ones are stored in both directions and a self-loop
 * once, relations with their reverse; of repeated ones of a type the first stays, unless all are kept.
 *
 * @throws GnnError NODE_UNKNOWN, SPEC_INVALID with the place of the edge
 */
export function newEdges(nodes: readonly NewNode[], rows: RowsById, rules: EdgeRules): NewEdges {
  const given = nodes.flatMap(({ edges = [] }, at) =>
    edges.map((edge, i) => givenEdge(edge, { rows, rules, at, edge: i })),
  );
  const { duplicates, selfLoops } = rules.spec;
  const [src, dst, weights, types]: number[][] = [[], [], [], []];
  const seen = new Set<string>();
  const add = (from: number, to: number, type: number, weight: number): boolean => {
    const key = `${from} ${to} ${type}`;
    if (duplicates !== "keep" && seen.has(key)) return false;
    seen.add(key);
    src!.push(from);
    dst!.push(to);
    types!.push(type);
    weights!.push(weight);
    return true;
  };
  const back: GivenEdge[] = [];
  for (const one of given) {
    const { relation, at, edge } = one;
    if (one.src === one.dst && selfLoops === "drop") continue;
    const isNew = add(one.src, one.dst, relation.code, one.weight);
    if (!isNew && duplicates === "error") throw repeated(at, edge);
    if (relation.back === null || (one.src === one.dst && !relation.turnsLoops)) continue;
    // Rows of one table lead back one by one; relations are turned behind all that are given.
    if (relation.ends) back.push(one);
    else add(one.dst, one.src, relation.back, one.weight);
  }
  for (const { relation, ...one } of back) add(one.dst, one.src, relation.back as number, one.weight);
  return { src: src!, dst: dst!, types: types!, weights: rules.hasWeights ? weights! : null };
}

interface EdgeAt {
  readonly rows: RowsById;
  readonly rules: EdgeRules;
  readonly at: number;
  readonly edge: number;
}

function givenEdge(given: NewEdge, { rows, rules, at, edge }: EdgeAt): GivenEdge {
  const { areNamed, edgeTypes, hasWeights } = rules;
  const { from, to } = given;
  const id = from ?? to;
  if (id === undefined || (from !== undefined && to !== undefined)) {
    throw new GnnError("SPEC_INVALID", "An edge names one other end; expected either from or to.", {
      place: placeOf(at, "edges", edge),
    });
  }
  const relation = relationOf(given.relation, rules.relations, { at, edge, areNamed, edgeTypes });
  const [own, other] = endTypes(relation, to !== undefined);
  const type = rows.typeAt(at);
  if (own !== null && type !== own) {
    const found = `${relation.name} leads from ${relation.ends?.source} to ${relation.ends?.target}`;
    const message = `${found}, and ${to === undefined ? "its target" : "its source"} would be the new node, which is of the type ${type}.`;
    throw new GnnError("SPEC_INVALID", message, { place: placeOf(at, "edges", edge, "relation") });
  }
  const row = rows.rowOf(id, other);
  if (row < 0) throw unknownEnd(id, other, rows, placeOf(at, "edges", edge, to === undefined ? "from" : "to"));
  const weight = weightOf(given.weight, { inGraph: hasWeights, inFiles: relation.hasWeights }, at, edge);
  const ends = to === undefined ? { src: row, dst: rows.rowAt(at) } : { src: rows.rowAt(at), dst: row };
  return { relation, ...ends, weight, at, edge };
}

/** Types of the new node and of the other end; null: any */
function endTypes({ ends }: RelationOfEdges, leadsAway: boolean): readonly [own: string | null, other: string | null] {
  if (!ends) return [null, null];
  return leadsAway ? [ends.source, ends.target] : [ends.target, ends.source];
}

function unknownEnd(id: string, type: string | null, rows: RowsById, place: { readonly pointer: string }): GnnError {
  if (type === null) {
    const message = `Neither the graph nor the request has a node ${shown(id)}.`;
    return new GnnError("NODE_UNKNOWN", message, { place });
  }
  const another = rows.otherTypeOf(id, type);
  const found = another === null ? "" : `; a node of the type ${another} is called so`;
  const message = `Neither the graph nor the request has a node ${shown(id)} of the type ${type}${found}.`;
  return new GnnError("NODE_UNKNOWN", message, { place });
}

function weightOf(
  weight: number | undefined,
  has: { readonly inGraph: boolean; readonly inFiles: boolean },
  at: number,
  edge: number,
): number {
  const place = placeOf(at, "edges", edge, "weight");
  if (!has.inGraph || !has.inFiles) {
    if (weight === undefined) return 1;
    const whose = has.inGraph ? "Edges of this relation" : "Edges of this graph";
    throw new GnnError("SPEC_INVALID", `${whose} have no weights; leave the weight out.`, { place });
  }
  const value = Math.fround(weight ?? Number.NaN);
  if (Number.isFinite(value)) return value;
  const message = "Edges of this graph have weights; expected a finite number of single precision.";
  throw new GnnError("SPEC_INVALID", message, { place });
}

function repeated(at: number, edge: number): GnnError {
  const message = "This edge is there a second time, and the dataset takes none twice; leave it out.";
  return new GnnError("SPEC_INVALID", message, { place: placeOf(at, "edges", edge) });
}
