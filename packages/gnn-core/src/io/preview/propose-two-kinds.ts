import { areDistinct, valuesOf } from "./column-values.ts";
import type { EdgeEnds } from "./edge-roles.ts";
import type { ColumnRole, SampledFile } from "./sampled-file.ts";
import { hasAspect } from "./second-tables.ts";
import { tableOfKind, twoKindsOf } from "./two-kinds.ts";
import { relationOfFile, typeOfFile } from "./type-names.ts";
import { assembleTypes, type Pieces, type TypedProposal, type TypeFile, typeFile } from "./typed-proposal.ts";

/**
 * One table of edges between things of two kinds, such as users and movies: a type for each, of its own table where
 * there is one, else of the ids that the edges name. Null: the ends are of one kind.
 */
export function proposeTwoKinds(sampled: readonly SampledFile[], tables: readonly Pieces[]): TypedProposal | null {
  const found = tables.flatMap(({ file, files }) => {
    const kinds = twoKindsOf(file);
    return kinds && !tellsOfOneKind(file, kinds.ends) ? [{ ...kinds, file, files }] : [];
  });
  const [edges, another] = found;
  if (!edges || another) return null;
  const { file, files, ends, source, target } = edges;
  const others = tables.filter((table) => table.file !== file);
  const typeOf = (kind: string, column: number): TypeFile => {
    const own = tableOfKind(kind, file.columns[column]!.name, others);
    const [described] = own ? typeFile(own.file, own.files, typeOfFile(own.file.name) ?? kind) : [];
    return described ?? namedByEdges(file, files, kind, column);
  };
  const types = [typeOf(source, ends.src), typeOf(target, ends.dst)] as const;
  const name = relationOfFile(file.name, []).name;
  const [src, dst] = [ends.src, ends.dst].map((column) => `"${file.columns[column]!.name}"`);
  const note = `${file.name}: ${src} and ${dst} are ids of two kinds, so that ${source} 1 and ${target} 1 are two nodes. Put the file under edges if they are of one kind.`;
  const relation = { file, files, ends, source: types[0].type, name, target: types[1].type };
  return assembleTypes(sampled, types, [relation], [], [note]);
}

/** Whether each thing of one kind comes once, in a file that is called after labels or the like: no edges */
function tellsOfOneKind(file: SampledFile, { src, dst }: EdgeEnds): boolean {
  return hasAspect(file) && [src, dst].some((column) => areDistinct(valuesOf(file.rows, column)));
}

/** A type without a table: its nodes are the ids in a column of the edges, where each comes many times. */
function namedByEdges(file: SampledFile, files: readonly string[], type: string, column: number): TypeFile {
  const roles = file.columns.map((_, i): ColumnRole => (i === column ? "id" : "none"));
  const nothing = {
    notes: [],
    directed: null,
    explained: [],
    splitWords: {},
    missingLabels: [],
    severalTypes: null,
  };
  return { ...file, ...nothing, roles, type, files, repeatedIds: "last" };
}
