import { cut, idNames, namesType, plain } from "./type-names.ts";

/** What a column is asked for as. */
export interface AskedColumn {
  readonly column: string;
  readonly alias: string;
}

/** A reader takes two columns that are called so for the ends of edges; either of them may stand behind a prefix. */
const endWords =
  /(?:src|source|from|origin|orig|start|dst|dest|destination|target|to|end|head|tail|citing|cited|sender|receiver|recipient|parent|child|follower|followee|followed|following|caller|callee|buyer|seller|payer|payee|rater|ratee|truster|trustor|trustee|subject|object|ego|alter|row|col|column|von|nach|quelle|ziel|absender|empfänger|cible|origine|origen|destino|destinazione|origem)(?:node|identifier|index|idx|id|key|name|no|num|number|nr|nummer)?$/;
const ends: ReadonlySet<string> = new Set(
  "u v i j h t a b x y left right user item movie product friend customer author paper".split(" "),
);
const numbered = /[01abxy]$/;

/**
 * Columns beside the id of a table of nodes. Where a reader would take a name for that of the id or of an end of edges,
 * `_value` is put behind it.
 */
export function nodeColumns(columns: readonly string[]): readonly AskedColumn[] {
  const misleads = (name: string) => {
    const small = plain(name);
    return small === "id" || endWords.test(small) || ends.has(small) || (numbered.test(small) && /\D{3}/.test(small));
  };
  return aliases(columns, new Set(["id"]), misleads);
}

/** Columns beside the ends of edges: none of them is called as a type of nodes, an id or an end is. */
export function edgeColumns(
  columns: readonly string[],
  types: readonly string[],
  named: readonly string[],
): readonly AskedColumn[] {
  const misleads = (name: string) =>
    idNames.has(plain(name)) || namesType(name, types) || /^(src|dst)$/.test(plain(name));
  return aliases(columns, new Set(named.map(plain)), misleads);
}

function aliases(
  columns: readonly string[],
  taken: Set<string>,
  misleads: (name: string) => boolean,
): readonly AskedColumn[] {
  return columns.map((column) => {
    const wanted = misleads(column) ? `${cut(column, mostBytes - 6)}_value` : column;
    let alias = wanted;
    for (let n = 2; taken.has(plain(alias)); n++) alias = `${cut(wanted, mostBytes - 4)}_${n}`;
    taken.add(plain(alias));
    return { column, alias };
  });
}

/** PostgreSQL cuts longer names. */
const mostBytes = 63;
