import type { SampledFile } from "./sampled-file.ts";

/** What a column of Neo4j's bulk import holds, by its name. */
export interface Neo4jColumn {
  readonly role: "ID" | "START_ID" | "END_ID" | "TYPE" | "LABEL" | "IGNORE" | null;
  /** Ids are unique within their group; null: within all */
  readonly group: string | null;
}

const special = /:(ID|START_ID|END_ID|TYPE|LABEL|IGNORE)(?:\(([^)]*)\))?(?:\{[^}]*\})?$/;

function columnOf(name: string): Neo4jColumn {
  const [, role, group] = special.exec(name.trim()) ?? [];
  return { role: (role as Neo4jColumn["role"] | undefined) ?? null, group: group?.trim() || null };
}

/** A table in the form of `neo4j-admin database import`. */
export interface Neo4jTable {
  readonly kind: "nodes" | "edges";
  /** The file with the rows, or the first of them */
  readonly file: SampledFile;
  /** All of them, in their order */
  readonly parts: readonly SampledFile[];
  /** The file that holds the header alone; null: the header stands above the rows */
  readonly header: SampledFile | null;
  readonly names: readonly string[];
  readonly columns: readonly Neo4jColumn[];
}

/**
 * The tables whose headers say by `:ID`, `:START_ID` and `:END_ID` what they hold. Where a header has a file of its
 * own, `acted_in-header.csv`, its rows are those of the files that begin with the same name and have as many columns,
 * none of them with a name.
 *
 * https://neo4j.com/docs/operations-manual/current/import/#import-tool-header-format
 */
export function neo4jTables(sampled: readonly SampledFile[]): Neo4jTable[] {
  const headed = sampled.filter((file) => kindOf(file) !== null);
  return headed.flatMap((file): Neo4jTable[] => {
    const kind = kindOf(file)!;
    const names = file.columns.map(({ name }) => name);
    const columns = names.map(columnOf);
    if (file.rows.length > 0) return [{ kind, file, parts: [file], header: null, names, columns }];
    const parts = partsOf(file, sampled, headed);
    const [first] = parts;
    return first ? [{ kind, file: first, parts, header: file, names, columns }] : [];
  });
}

function kindOf({ columns, part }: SampledFile): "nodes" | "edges" | null {
  if (part !== undefined) return null;
  const roles = columns.map(({ name }) => columnOf(name).role);
  if (roles.includes("START_ID") && roles.includes("END_ID")) return "edges";
  return roles.includes("ID") ? "nodes" : null;
}

function partsOf(header: SampledFile, sampled: readonly SampledFile[], headed: readonly SampledFile[]): SampledFile[] {
  const isPart = (file: SampledFile) =>
    file.columns.length === header.columns.length && !headed.includes(file) && headerOf(file, headed) === header;
  return sampled.filter(isPart).map((file) => ({
    ...file,
    isChosen: true,
    options: { ...file.options, header: false },
    // The only row of a part may have passed for a header.
    columns: file.columns.map((column, i) => ({ ...column, name: `column${i + 1}` })),
  }));
}

/** The file of a header alone with the longest name that the file's name begins with. */
function headerOf({ name }: SampledFile, headed: readonly SampledFile[]): SampledFile | undefined {
  const beginning = (header: SampledFile) => stemOf(header.name).replace(/[-_. ]*header$/i, "");
  const fitting = headed.filter((header) => header.rows.length === 0 && stemOf(name).startsWith(beginning(header)));
  return fitting.toSorted((a, b) => beginning(b).length - beginning(a).length)[0];
}

function stemOf(name: string): string {
  return name.replace(/\.(gz|zst)$/i, "").replace(/\.[^./]*$/, "");
}
