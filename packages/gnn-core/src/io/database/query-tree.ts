/** A query as DuckDB's own parser understood it: `json_serialize_sql`. */
export interface SerializedSql {
  readonly error: boolean;
  readonly error_message?: string;
  /** Letters before the place of an error */
  readonly position?: string;
  readonly statements?: readonly unknown[];
}

/** A table that may be asked for; an empty schema is the usual one. */
export interface NamedTable {
  readonly schema: string;
  readonly name: string;
}

/** What a query asks for, by name. */
export interface QueryNames {
  /** Indices into the tables that there are */
  readonly tables: readonly number[];
  /** Functions of values, in small letters */
  readonly functions: readonly string[];
}

/** Why a query is not run. */
export class QueryObjection extends Error {
  /** Letters of the query before the place; null: it is of the query as a whole */
  readonly position: number | null;

  constructor(words: string, position: number | null = null) {
    super(words);
    this.position = position;
  }
}

/** Rows that are made of their arguments alone */
const tableFunctions = new Set("range generate_series unnest repeat repeat_row json_each json_tree".split(" "));
const rowSources = new Set(
  "BASE_TABLE SUBQUERY JOIN TABLE_FUNCTION EMPTY EMPTY_FROM EXPRESSION_LIST CTE PIVOT".split(" "),
);
const clocks = new Set("current_date current_time current_timestamp localtime localtimestamp".split(" "));
const plainName = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const ofDuckDb = /^(duckdb|pragma|sqlite|pg)_/i;
const mostNamed = 20;

/**
 * The names in a query, which is one statement that reads the tables of the file and nothing else: no files, no views,
 * nothing that the engine says of itself, and no rows that change from one time to the next.
 *
 * @throws QueryObjection
 */
export function queryNames(parsed: SerializedSql, tables: readonly NamedTable[]): QueryNames {
  if (parsed.error) throw parseObjection(parsed);
  const { statements = [] } = parsed;
  if (statements.length !== 1)
    throw new QueryObjection(`found ${statements.length} statements, expected one that reads, such as SELECT …`);
  const nodes = [...nodesOf(statements[0])];
  const own = new Set(nodes.flatMap(ownNames));
  const found = new Set<number>();
  const functions = new Set<string>();
  for (const node of nodes) {
    checkRowSource(node);
    if (node["type"] === "BASE_TABLE") {
      const place = tableAt(node, tables, own);
      if (place !== null) found.add(place);
    }
    const name = textOf(node, "function_name").toLowerCase();
    if (name !== "" && !tableFunctions.has(name)) functions.add(name);
    checkClock(node);
  }
  return { tables: [...found], functions: [...functions] };
}

type Node = Readonly<Record<string, unknown>>;

function parseObjection({ error_message: words = "", position }: SerializedSql): QueryObjection {
  if (position !== undefined) return new QueryObjection(words, Number(position));
  return new QueryObjection("expected one statement that reads: SELECT …, WITH … SELECT, VALUES … or FROM …");
}

/** Every object of the tree; a query nests less deep than its text is long, so that a list stands for the calls. */
function* nodesOf(tree: unknown): Generator<Node> {
  const left = [tree];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one !== "object" || one === null) continue;
    if (!Array.isArray(one)) yield one as Node;
    for (const inner of Object.values(one)) left.push(inner);
  }
}

/** What WITH calls its parts. */
function ownNames({ cte_map: parts }: Node): string[] {
  const map = (parts as { readonly map?: readonly { readonly key: string }[] } | undefined)?.map ?? [];
  return map.map(({ key }) => {
    if (plainName.test(key) && !ofDuckDb.test(key)) return key.toLowerCase();
    throw new QueryObjection(`WITH calls a part "${key.slice(0, 60)}"; expected a name of letters, digits and _`);
  });
}

/** Where rows come from: tables, queries in brackets, and functions that make rows of their arguments. */
function checkRowSource(node: Node): void {
  if (!("sample" in node)) return;
  const type = textOf(node, "type");
  const isSelect = "select_list" in node;
  if (!isSelect && !rowSources.has(type))
    throw new QueryObjection("it asks what a table is, expected one that reads its rows", placeOf(node));
  const sample = node["sample"] as { readonly seed?: number } | null;
  if (sample !== null && !((sample.seed ?? -1) >= 0))
    throw new QueryObjection(
      "a sample has other rows each time; give it a seed: USING SAMPLE reservoir(1000 ROWS) REPEATABLE (7)",
      placeOf(node),
    );
  if (type !== "TABLE_FUNCTION") return;
  const name = textOf((node["function"] ?? {}) as Node, "function_name").toLowerCase();
  if (tableFunctions.has(name)) return;
  throw new QueryObjection(
    `the function ${name.slice(0, 60)} may read what is not in the file; functions that may give rows are ${[...tableFunctions].join(", ")}`,
    placeOf(node),
  );
}

function tableAt(node: Node, tables: readonly NamedTable[], own: ReadonlySet<string>): number | null {
  const [catalog, schema, name] = ["catalog_name", "schema_name", "table_name"].map((key) => textOf(node, key));
  if (catalog === "" && schema === "" && own.has(name!.toLowerCase())) return null;
  const wanted = schema!.toLowerCase() === "main" ? "" : schema!.toLowerCase();
  const place = tables.findIndex(
    (one) => one.schema.toLowerCase() === wanted && one.name.toLowerCase() === name!.toLowerCase(),
  );
  if (catalog === "" && place >= 0) return place;
  const asked = [catalog, schema, name].filter((part) => part !== "").join(".");
  const there = tables.slice(0, mostNamed).map((one) => (one.schema === "" ? one.name : `${one.schema}.${one.name}`));
  throw new QueryObjection(
    `there is no table ${asked.slice(0, 80)}; tables that may be asked are ${there.join(", ") || "none"}`,
    placeOf(node),
  );
}

function checkClock(node: Node): void {
  const names = node["column_names"];
  if (node["class"] !== "COLUMN_REF" || !Array.isArray(names) || names.length !== 1) return;
  const [name] = names as string[];
  if (clocks.has(name!.toLowerCase())) throw clockObjection(name!, placeOf(node));
}

/** Why a function is not run whose value is another each time. */
export function clockObjection(name: string, position: number | null = null): QueryObjection {
  return new QueryObjection(
    `${name} is another each time, and a graph that is built again is to be the same; write the value itself`,
    position,
  );
}

function textOf(node: Node, key: string): string {
  const value = node[key];
  return typeof value === "string" ? value : "";
}

/** DuckDB's own number for a place that it does not know is the largest of 64 bits. */
function placeOf({ query_location: place }: Node): number | null {
  return typeof place === "number" && place < 2 ** 31 ? place : null;
}
