/** What a model reads of nodes and edges, as its card has it. */
export interface ReadGraph {
  readonly features: {
    readonly kind: string;
    readonly dim: number;
    /** Null: they come from a matrix, whose columns have no names. */
    readonly columns: readonly string[] | null;
    /** Columns of each type of node, where types have columns of their own; null: all have the same */
    readonly types: readonly { readonly name: string; readonly dim: number }[] | null;
  };
  readonly nodeTypes: readonly string[];
  readonly edgeTypes: readonly string[];
}

type ReadFeatures = Pick<ReadGraph["features"], "kind" | "dim" | "columns">;

const mostColumns = 3;

/** A node as somebody would write it down for this model, with the names of its first columns. */
export function exampleNode({ features, nodeTypes, edgeTypes }: ReadGraph): string {
  const own = features.types?.find(({ dim }) => dim > 0);
  const type = own?.name ?? (nodeTypes.length > 1 ? nodeTypes[0] : undefined);
  const read = own ? { ...features, dim: own.dim, columns: ownColumns(features, own.name) } : features;
  // Those that lead back are added by the service.
  const relations = edgeTypes.filter((name) => !edgeTypes.some((other) => name === `rev_${other}`));
  const relation = edgeTypes.length > 1 ? `"relation": ${JSON.stringify(relations[0])}, ` : "";
  const shownType = type === undefined ? "" : `"type": ${JSON.stringify(type)}, `;
  return `{"id": "new", ${shownType}"features": ${exampleFeatures(read)}, "edges": [{${relation}"to": "a node"}]}`;
}

/** Columns of one type are called by it: `paper.year`. */
function ownColumns({ columns }: ReadFeatures, type: string): readonly string[] | null {
  const prefix = `${type}.`;
  return columns?.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)) ?? null;
}

function exampleFeatures({ kind, dim, columns }: ReadFeatures): string {
  if (columns === null)
    return kind === "csr"
      ? '{"0": 1, …}'
      : cut(
          Array.from({ length: dim }, () => "0"),
          "[",
          "]",
        );
  const named = new Map(columns.flatMap(exampleColumn));
  return cut(
    [...named].map(([name, value]) => `${JSON.stringify(name)}: ${value}`),
    "{",
    "}",
  );
}

/** The column of the nodes file and a value, of a column that the model reads: `year`, `words[128]`, `color=red`. */
function exampleColumn(column: string): [name: string, value: string][] {
  if (column.endsWith(" is missing")) return [];
  const [, kinds, kind = ""] = /^([^=]+)=(.*)$/s.exec(column) ?? [];
  if (kinds !== undefined) return [[kinds, JSON.stringify(kind)]];
  const [, list, width] = /^(.+)\[(\d+)\]$/s.exec(column) ?? [];
  if (list !== undefined)
    return [
      [
        list,
        cut(
          Array.from({ length: Number(width) }, () => "0"),
          "[",
          "]",
        ),
      ],
    ];
  return [[column, "0"]];
}

function cut(parts: readonly string[], open: string, close: string): string {
  const shown = parts.slice(0, mostColumns).join(", ");
  return `${open}${shown}${parts.length > mostColumns ? ", …" : ""}${close}`;
}
