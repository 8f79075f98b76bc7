/** A file of an exchange format holds two tables: its nodes and its edges. */
export type GraphPart = "nodes" | "edges";

/** One node or edge of a graph file, as far as it was read. */
export interface GraphRecord {
  readonly part: GraphPart;
  /** 1-based: its line, or in JSON, which has none, its number among the nodes or the edges. */
  readonly line: number;
  /** Columns with their texts: `id` of a node or `source` and `target` of an edge first, then the attributes. */
  readonly values: readonly (readonly [column: string, value: string | null])[];
  /** Edges: what the file says of this one; left out: what it says of the whole graph. */
  readonly directed?: boolean;
}

/** What a parser learns of the whole graph on its way; complete when all records were given. */
export interface GraphFacts {
  /** null: the file does not say. */
  directed: boolean | null;
  /** What an edge without the attribute has by the rules of the format, in files where some edge has it. */
  readonly edgeDefaults: Map<string, string>;
  /** What of the file is not read as it stands there, in sentences */
  readonly notes: Set<string>;
}

/** @param text the file, in pieces that need not end where lines do */
export type GraphParser = (text: AsyncIterable<string>, file: string, facts: GraphFacts) => AsyncIterable<GraphRecord>;

const endColumns: Readonly<Record<GraphPart, readonly string[]>> = { nodes: ["id"], edges: ["source", "target"] };

/** A node or an edge; an attribute called like its ends is told apart from them. */
export function graphRecord(
  part: GraphPart,
  line: number,
  ends: readonly string[],
  attributes: Iterable<readonly [name: string, value: string | null]>,
  directed?: boolean,
): GraphRecord {
  const own = endColumns[part];
  const values = [...attributes].map(
    ([name, value]) => [own.includes(name) ? `${name} (attribute)` : name, value] as const,
  );
  const places = own.map((column, i) => [column, ends[i] ?? null] as const);
  return { part, line, values: [...places, ...values], ...(directed === undefined ? {} : { directed }) };
}
