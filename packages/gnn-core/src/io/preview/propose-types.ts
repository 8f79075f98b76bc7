import { valuesOf } from "./column-values.ts";
import { endsOfTypes, type FoundType, findRelation, shapeOf } from "./find-relations.ts";
import { joinSamples, noJoins } from "./joined-samples.ts";
import { neo4jTypes } from "./neo4j-types.ts";
import { piecesFrom } from "./pieces.ts";
import { proposeTwoKinds } from "./propose-two-kinds.ts";
import type { SampledFile } from "./sampled-file.ts";
import { type SecondTable, secondTable } from "./second-tables.ts";
import { plainType, typeOfColumn, typeOfFile } from "./type-names.ts";
import {
  assembleTypes,
  matricesOf,
  type Pieces,
  type TypedProposal,
  type TypeFile,
  typeFile,
} from "./typed-proposal.ts";
import { placeGroups, sidedGroups, withLists } from "./typed-sides.ts";

/**
 * Several files of nodes that are called after types, and a file of edges of which is clear what types it joins: a
 * section for each. Null: the files are to be read as one table of nodes and one of edges.
 */
export function proposeTypes(sampled: readonly SampledFile[]): TypedProposal | null {
  const ofNeo4j = neo4jTypes(sampled);
  if (ofNeo4j) return assembleTypes(sampled, ofNeo4j.types, ofNeo4j.relations, ofNeo4j.headers, ofNeo4j.notes);
  // A file that holds a whole graph says itself which of its tables is which.
  const tables = sampled.filter(({ columns, part }) => columns.length > 0 && part === undefined);
  const all = tables.flatMap((file) => {
    const files = piecesFrom(file, tables);
    return files ? [{ file, files }] : [];
  });
  const groups = sidedGroups(all.filter(({ file }) => endsOfTypes(file, []) === null));
  const ofSides = new Set(groups.flatMap(({ lists }) => lists.map(({ file }) => file.name)));
  const firsts = all.filter(({ file }) => !ofSides.has(file.name));
  const named = namedTables(firsts);
  const names = named.map(({ type }) => type);
  const withEnds = firsts.flatMap(({ file, files }) => {
    const ends = endsOfTypes(file, names);
    return ends ? [{ file, files, ends }] : [];
  });
  const isEdges = new Set(withEnds.map(({ file }) => file));
  const edgeIds = new Set(
    withEnds.flatMap(({ file, ends }) => [...valuesOf(file.rows, ends.src), ...valuesOf(file.rows, ends.dst)]),
  );
  const single = named.flatMap(({ file, files, type }) =>
    isEdges.has(file) ? [] : typeFile(file, files, type, edgeIds),
  );
  const placed = placeGroups(groups, single);
  const described = [...single, ...placed.types, ...placed.seconds.keys()];
  const isEnd = (type: string) =>
    withEnds.some(({ file, ends }) => [ends.src, ends.dst].some((i) => typeOfColumn(file.columns[i]!.name, [type])));
  const matrices = matricesOf(sampled, described);
  const plain = withoutSeconds(described, isEnd, ({ type }) => matrices.has(type), placed.seconds);
  if (plain.types.length < 2) return proposeTwoKinds(sampled, firsts);
  const { types, notes, unused } = withLists(plain.types, groups, placed.rows);
  if (new Set(types.map(({ type }) => plainType(type))).size < types.length) return null;
  const found = types.map(foundType);
  const relations = withEnds.flatMap(({ file, files, ends }) => {
    const relation = findRelation(file, ends, found);
    return relation ? [{ ...relation, files }] : [];
  });
  if (relations.length === 0) return null;
  return assembleTypes(sampled, types, relations, [...plain.seconds, ...unused], [...plain.notes, ...notes]);
}

/** A second table of the same nodes is no type of its own, and joined to the first. */
function withoutSeconds(
  described: readonly TypeFile[],
  isEnd: (type: string) => boolean,
  hasMatrix: (type: TypeFile) => boolean,
  known: ReadonlyMap<TypeFile, TypeFile>,
) {
  const tables = described.map((file) => ({ file, id: file.roles.indexOf("id") }));
  const seconds = new Map(
    tables.flatMap((table) => {
      const first = tables.find(({ file }) => file === known.get(table.file));
      const found = first ? { first } : secondTable(table, tables, isEnd(table.file.type));
      return found ? [[table.file, found] as const] : [];
    }),
  );
  const firsts = described.filter((file) => !seconds.has(file));
  const unclear = [...seconds].flatMap(([file, found]) => ("note" in found ? [{ file, note: found.note }] : []));
  const types = firsts.map((type): TypeFile => {
    const own = [...seconds.keys()].filter((file) => firstOf(file, seconds) === type);
    if (own.length === 0) return type;
    const { table, joins } = joinSamples(type, own, hasMatrix(type));
    return { ...table, joins };
  });
  const joined = new Set(types.flatMap(({ joins = noJoins }) => joins.tables.map(({ file }) => file.name)));
  return {
    types,
    seconds: [...seconds.keys()].filter(({ name }) => !joined.has(name)),
    notes: [...unclear.map(({ note }) => note), ...types.flatMap(({ joins = noJoins }) => joins.notes)],
  };
}

/** The first table that a second one is of, perhaps by way of another; null: it cannot be told */
function firstOf(file: TypeFile, seconds: ReadonlyMap<TypeFile, SecondTable<{ file: TypeFile }>>): TypeFile | null {
  const seen = new Set<TypeFile>();
  let first = file;
  for (let found = seconds.get(first); found; found = seconds.get(first)) {
    if ("note" in found || seen.has(first)) return null;
    seen.add(first);
    first = found.first.file;
  }
  return first;
}

function namedTables(tables: readonly Pieces[]) {
  return tables.flatMap(({ file, files }) => {
    const type = typeOfFile(file.name);
    return type === null ? [] : [{ file, files, type }];
  });
}

function foundType(file: TypeFile): FoundType {
  const ids = valuesOf(file.rows, file.roles.indexOf("id"));
  return { name: file.type, ids: new Set(ids), shapes: new Set(ids.map(shapeOf)) };
}
