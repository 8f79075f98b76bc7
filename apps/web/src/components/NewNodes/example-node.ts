/** What a model reads of nodes, as its card has it. */
export interface ReadFeatures {
  readonly kind: string;
  readonly dim: number;
  /** Null: they come from a matrix, whose columns have no names. */
  readonly columns: readonly string[] | null;
}

const mostColumns = 3;

/** A node as somebody would write it down for this model, with the names of its first columns. */
export function exampleNode(features: ReadFeatures): string {
  return `{"id": "new", "features": ${exampleFeatures(features)}, "edges": [{"to": "a node"}]}`;
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
