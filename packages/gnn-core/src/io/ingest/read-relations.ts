import { always } from "../../graph/edge-times.ts";
import { concatFloat64, concatInt32 } from "../concat-arrays.ts";
import { edgesOfRelation } from "../dataset-labels.ts";
import type { DatasetSpec } from "../dataset-spec.ts";
import type { RelationSection } from "../relation-section.ts";
import { type RelationTypes, relationTypes } from "../relation-types.ts";
import type { EdgeEnds, EndNodes } from "./edge-ends.ts";
import type { EdgeLabels } from "./edge-labels.ts";
import { commentWarnings, idWarnings } from "./id-warnings.ts";
import type { IngestContext } from "./ingest-context.ts";
import { type LinkColumns, requireTrainingRows } from "./link-columns.ts";
import { joinTables } from "./profile/table-profile.ts";
import { type EdgeRows, readEdges } from "./read-edges.ts";
import { requireEdges } from "./read-tables.ts";
import type { TypeRows } from "./read-typed-nodes.ts";
import { splitCodes } from "./split-words.ts";
import { TextCodes } from "./text-codes.ts";

/** The edges of one relation, of its own table */
export interface RelationRows {
  readonly section: RelationSection;
  readonly names: RelationTypes;
  readonly ends: EdgeEnds;
  readonly rows: EdgeRows;
}

/**
 * Reads the table of each relation; ids are looked up among the nodes of the types that it joins.
 *
 * @throws GnnError DATASET_NODE_UNKNOWN for an id of another type, DATASET_FILE_EMPTY for a relation without edges,
 * DATASET_VALUE_INVALID when no edge of any relation is to be learnt from
 */
export async function readRelations(
  context: IngestContext,
  { relations, missingNodes, selfLoops }: Pick<DatasetSpec, "relations" | "missingNodes" | "selfLoops">,
  types: readonly TypeRows[],
): Promise<readonly RelationRows[]> {
  const sections = relations ?? [];
  const names = relationTypes(sections);
  const read: RelationRows[] = [];
  for (const [i, section] of sections.entries()) {
    const name = names[i] as RelationTypes;
    const src = endOf(section.source, types);
    const dst = section.target === section.source ? src : endOf(section.target, types);
    const ends = { src, dst, relation: name.forward };
    const rows = await readEdges(context, edgesOfRelation(section), ends, { missingNodes, selfLoops, hasNodes: true });
    requireEdges(section.files, rows, name.forward);
    read.push({ section, names: name, ends, rows });
  }
  requireTrainingRows(read.map(({ section: { files }, rows: { links } }) => ({ files, links })));
  return read;
}

function endOf(type: string, types: readonly TypeRows[]): EndNodes {
  const { ids, first } = types.find(({ name }) => name === type) as TypeRows;
  const otherWith = (id: string) =>
    types.find((other) => other.name !== type && other.ids.indexOf(id) >= 0)?.name ?? null;
  return { ids, first, type: { name: type, otherWith } };
}

/** What in the ids of relations and types looks like anything but an id. */
export function typedIdWarnings(relations: readonly RelationRows[], types: readonly TypeRows[]): string[] {
  const ofEdges = relations.flatMap(({ section, ends: { src, dst }, rows }) => {
    const indexOf = (id: string) => Math.max(src.ids.indexOf(id), dst.ids.indexOf(id));
    return idWarnings(section, { size: src.ids.size + dst.ids.size, indexOf }, rows.files, []);
  });
  return [...ofEdges, ...commentWarnings(types.flatMap(({ rows }) => rows.files))];
}

/** The edges of all relations as those of one table, with a type each; behind them the edges that lead back. */
export function joinRelations(relations: readonly RelationRows[]): EdgeRows {
  const turned = relations.filter(({ names }) => names.back !== null);
  const given = relations.map(({ rows: { src, dst }, names: { forward } }) => ({ src, dst, name: forward }));
  const back = turned.map(({ rows: { src, dst }, names }) => ({ src: dst, dst: src, name: names.back as string }));
  const all = [...given, ...back];
  const typeNames = new TextCodes();
  const sum = (count: (rows: EdgeRows) => number) => relations.reduce((total, { rows }) => total + count(rows), 0);
  return {
    src: concatInt32(all.map(({ src }) => src)),
    dst: concatInt32(all.map(({ dst }) => dst)),
    numGiven: sum(({ src }) => src.length),
    weights: weightsOf([...relations, ...turned]),
    types: concatInt32(all.map(({ src, name }) => new Int32Array(src.length).fill(typeNames.codeOf(name)))),
    typeNames,
    features: featuresOf([...relations, ...turned]),
    links: linksOf([...relations, ...turned]),
    known: knownOf(relations),
    rowsRead: sum(({ rowsRead }) => rowsRead),
    selfLoops: sum(({ selfLoops }) => selfLoops),
    danglingIds: sum(({ danglingIds }) => danglingIds),
    danglingRows: sum(({ danglingRows }) => danglingRows),
    dropped: relations.flatMap(({ rows }) => rows.dropped),
    files: relations.flatMap(({ rows }) => rows.files),
    profile: joinTables(relations.map(({ rows }) => rows.profile)),
  };
}

/**
 * Sides and times of all edges. Those of a relation that has no sides are to be learnt from, those of one without times
 * have always been there.
 */
function linksOf(relations: readonly RelationRows[]): LinkColumns {
  const have = (column: keyof LinkColumns) => relations.some(({ rows }) => rows.links[column] !== null);
  const split = ({ rows }: RelationRows) => rows.links.split ?? new Int32Array(rows.src.length).fill(splitCodes.train);
  const times = ({ rows }: RelationRows) => rows.links.times ?? new Float64Array(rows.src.length).fill(always);
  return {
    split: have("split") ? concatInt32(relations.map(split)) : null,
    times: have("times") ? concatFloat64(relations.map(times)) : null,
  };
}

/** What is to be predicted of the one relation that is labelled */
function knownOf(relations: readonly RelationRows[]): EdgeLabels | null {
  let firstRow = 0;
  for (const { rows, section } of relations) {
    const { known, links } = rows;
    if (known) return { ...known, relation: { firstRow, links, directed: section.reverse !== section.name } };
    firstRow += rows.src.length;
  }
  return null;
}

/** Features of the labelled relation's edges; those of others, which nothing reads, are 0. */
function featuresOf(relations: readonly RelationRows[]): Float32Array | null {
  const width = relations.reduce((most, { section }) => Math.max(most, section.features?.length ?? 0), 0);
  if (width === 0) return null;
  const all = new Float32Array(width * relations.reduce((sum, { rows }) => sum + rows.src.length, 0));
  let end = 0;
  for (const { rows } of relations) {
    if (rows.features) all.set(rows.features, end);
    end += width * rows.src.length;
  }
  return all;
}

/** Edges of relations without weights weigh 1 beside those that have some. */
function weightsOf(relations: readonly RelationRows[]): Float32Array | null {
  if (relations.every(({ rows }) => rows.weights === null)) return null;
  const all = new Float32Array(relations.reduce((sum, { rows }) => sum + rows.src.length, 0)).fill(1);
  let end = 0;
  for (const { rows } of relations) {
    if (rows.weights) all.set(rows.weights, end);
    end += rows.src.length;
  }
  return all;
}
