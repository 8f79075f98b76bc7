import { valuesOf } from "./column-values.ts";
import { endsOfTypes, type FoundType, findRelation, shapeOf } from "./find-relations.ts";
import { neo4jTypes } from "./neo4j-types.ts";
import { piecesFrom } from "./pieces.ts";
import { proposeTwoKinds } from "./propose-two-kinds.ts";
import type { SampledFile } from "./sampled-file.ts";
import { secondTableNote } from "./second-tables.ts";
import { plainType, typeOfColumn, typeOfFile } from "./type-names.ts";
import { assembleTypes, type Pieces, type TypedProposal, type TypeFile, typeFile } from "./typed-proposal.ts";

/**
 * Several files of nodes that are called after types, and a file of edges of which is clear what types it joins: a
 * section for each. Null: the files are to be read as one table of nodes and one of edges.
 */
export function proposeTypes(sampled: readonly SampledFile[]): TypedProposal | null {
  const ofNeo4j = neo4jTypes(sampled);
  if (ofNeo4j) return assembleTypes(sampled, ofNeo4j.types, ofNeo4j.relations, ofNeo4j.headers, ofNeo4j.notes);
  // A file that holds a whole graph says itself which of its tables is which.
  const tables = sampled.filter(({ columns, part }) => columns.length > 0 && part === undefined);
  const firsts = tables.flatMap((file) => {
    const files = piecesFrom(file, tables);
    return files ? [{ file, files }] : [];
  });
  const named = namedTables(firsts);
  const names = named.map(({ type }) => type);
  const withEnds = firsts.flatMap(({ file, files }) => {
    const ends = endsOfTypes(file, names);
    return ends ? [{ file, files, ends }] : [];
  });
  const isEdges = new Set(withEnds.map(({ file }) => file));
  const described = named.flatMap(({ file, files, type }) => (isEdges.has(file) ? [] : typeFile(file, files, type)));
  const isEnd = (type: string) =>
    withEnds.some(({ file, ends }) => [ends.src, ends.dst].some((i) => typeOfColumn(file.columns[i]!.name, [type])));
  const { types, seconds, notes } = withoutSeconds(described, isEnd);
  if (types.length < 2) return proposeTwoKinds(sampled, firsts);
  if (new Set(types.map(({ type }) => plainType(type))).size < types.length) return null;
  const found = types.map(foundType);
  const relations = withEnds.flatMap(({ file, files, ends }) => {
    const relation = findRelation(file, ends, found);
    return relation ? [{ ...relation, files }] : [];
  });
  if (relations.length === 0) return null;
  return assembleTypes(sampled, types, relations, seconds, notes);
}

/** A second table of the same nodes is no type of its own. */
function withoutSeconds(described: readonly TypeFile[], isEnd: (type: string) => boolean) {
  const tables = described.map((file) => ({ file, id: file.roles.indexOf("id") }));
  const seconds = new Map(
    tables.flatMap((table) => {
      const note = secondTableNote(table, tables, isEnd(table.file.type));
      return note === null ? [] : [[table.file, note] as const];
    }),
  );
  return {
    types: described.filter((file) => !seconds.has(file)),
    seconds: [...seconds.keys()],
    notes: [...seconds.values()],
  };
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
