import type { ColumnInfo } from "../table-source.ts";

/** Pairs of names that the ends of an edge have: its source, then its destination. */
const endNames: readonly (readonly [src: string, dst: string])[] = [
  ["src", "dst"],
  ["source", "target"],
  ["source", "destination"],
  ["src", "dest"],
  ["from", "to"],
  ["fromnode", "tonode"],
  ["u", "v"],
  ["head", "tail"],
  ["citing", "cited"],
  ["citingpaper", "citedpaper"],
  ["origin", "destination"],
  ["orig", "dest"],
  ["sender", "receiver"],
  ["sender", "recipient"],
  ["start", "end"],
  ["startnode", "endnode"],
  ["parent", "child"],
  ["follower", "followee"],
  ["follower", "followed"],
  ["follower", "following"],
  ["caller", "callee"],
  ["buyer", "seller"],
  ["payer", "payee"],
  ["rater", "ratee"],
  ["truster", "trustee"],
  ["trustor", "trustee"],
  ["subject", "object"],
  ["user", "item"],
  ["user", "movie"],
  ["user", "product"],
  ["user", "friend"],
  ["customer", "product"],
  ["author", "paper"],
  ["row", "col"],
  ["row", "column"],
  ["ego", "alter"],
  ["exporter", "importer"],
  ["nameorig", "namedest"],
  ["von", "nach"],
  ["quelle", "ziel"],
  ["start", "ziel"],
  ["absender", "empfänger"],
  ["source", "cible"],
  ["origine", "destination"],
  ["origen", "destino"],
  ["origine", "destinazione"],
  ["origem", "destino"],
  ["источник", "цель"],
  ["от", "к"],
  ["المصدر", "الهدف"],
  ["源", "目标"],
  ["起点", "终点"],
  ["始点", "終点"],
];

/** Each of the first goes with each of the second. */
const beginnings = ["src", "source", "from", "origin", "orig", "start"];
const endings = ["dst", "dest", "destination", "target", "to", "end"];

/** Names that mean the ends of edges only in a table of little else: coordinates are called so too. */
const weakEndNames: readonly (readonly [src: string, dst: string])[] = [
  ["i", "j"],
  ["h", "t"],
  ["a", "b"],
  ["x", "y"],
  ["left", "right"],
];
const mostWithWeakNames = 4;

export const columnNames = {
  weight: [
    "weight",
    "w",
    "edgeweight",
    "weights",
    "value",
    "strength",
    "rating",
    "count",
    "score",
    "similarity",
    "frequency",
    "freq",
    "amount",
    "probability",
    "gewicht",
    "poids",
    "peso",
  ],
  edgeType: ["rel", "relation", "edgetype", "type", "relationtype", "predicate", "beziehung"],
  id: [
    "id",
    "node",
    "nodeid",
    "originalid",
    "paperid",
    "userid",
    "vertex",
    "vertexid",
    "name",
    "key",
    "knoten",
    "knotenid",
    "nœud",
    "noeud",
    "nodo",
  ],
  label: [
    "label",
    "class",
    "y",
    "target",
    "category",
    "subject",
    "labels",
    "community",
    "classlabel",
    "nodelabel",
    "klasse",
    "kategorie",
    "classe",
    "clase",
  ],
  time: [
    "time",
    "timestamp",
    "datetime",
    "date",
    "createdat",
    "created",
    "creationdate",
    "unixtime",
    "ts",
    "zeit",
    "zeitpunkt",
    "datum",
    "fecha",
  ],
  split: ["split", "set", "fold", "subset", "partition"],
  nodeType: ["nodetype", "type", "kind"],
} as const;

/** Names of a Neo4j export say the role behind a colon: `personId:ID`, `:START_ID(Person)`, `:LABEL`. */
const neo4jRoles: Readonly<Record<string, string>> = {
  ID: "id",
  START_ID: "src",
  END_ID: "dst",
  TYPE: "type",
  LABEL: "nodetype",
};

/** Types of values behind a colon, as in `age:int` and `split:string`. */
const neo4jType = /(?<=.):(?:int|long|short|byte|float|double|boolean|char|string)(?:\[\])?(?:\{[^}]*\})?$/;

/** The name in small letters without anything else; the name of a Neo4j export becomes that of its role. */
export function plainName(name: string): string {
  const role = /:([A-Z_]+)(?:\([^)]*\))?$/.exec(name)?.[1];
  if (role !== undefined && neo4jRoles[role]) return neo4jRoles[role];
  return name
    .replace(neo4jType, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** `user_id`, `userKey`, `node_name` → `user`, `user`, `node`. */
function withoutSuffix(name: string): string {
  return name.replace(/(?<=.)(?:nodeid|node|identifier|index|idx|id|key|name|no|num|number|nr|nummer)$/, "");
}

/** The first column (in the order of the names) that is called one of them; -1 when none is. */
export function columnNamed(columns: readonly ColumnInfo[], wanted: readonly string[]): number {
  for (const name of wanted) {
    const found = columns.findIndex((column) => plainName(column.name) === name);
    if (found >= 0) return found;
  }
  return -1;
}

/** The two columns that are called as the ends of an edge are; null when there are no such two. */
export function namedEnds(columns: readonly ColumnInfo[]): { src: number; dst: number } | null {
  const plain = columns.map(({ name }) => plainName(name));
  for (const names of [plain, plain.map(withoutSuffix)]) {
    for (const [srcName, dstName] of endNames) {
      const src = names.indexOf(srcName);
      const dst = names.indexOf(dstName);
      if (src >= 0 && dst >= 0) return { src, dst };
    }
    const [src, dst] = [beginnings, endings].map((words) => names.findIndex((name) => words.includes(name)));
    if (src! >= 0 && dst! >= 0) return { src: src!, dst: dst! };
  }
  const behindPrefix = endNames.find(([src, dst]) => withPrefix(plain, src, dst) !== null);
  if (behindPrefix) return withPrefix(plain, ...behindPrefix);
  const weak = weakEndNames.findIndex(([src, dst]) => plain[0] === src && plain[1] === dst);
  return weak >= 0 && columns.length <= mostWithWeakNames ? { src: 0, dst: 1 } : twins(plain);
}

/** `paper_id_citing`, `paper_id_cited`: the same beginning, then the names of the ends. */
function withPrefix(names: readonly string[], srcName: string, dstName: string): { src: number; dst: number } | null {
  const src = names.findIndex((name) => srcName.length > 2 && name.endsWith(srcName) && name.length > srcName.length);
  if (src < 0) return null;
  const dst = names.indexOf(names[src]!.slice(0, -srcName.length) + dstName);
  return dst < 0 ? null : { src, dst };
}

/** Two names that differ by 1 and 2, or by a and b, at one place: `id1`, `id2`; `node_a`, `node_b`; `id`, `id_2` … */
function twins(names: readonly string[]): { src: number; dst: number } | null {
  for (const [src, name] of names.entries()) {
    const others = [
      name.replace("1", "2"),
      name.replace("0", "1"),
      name.replace(/a$/, "b"),
      name.replace(/x$/, "y"),
      `${name}2`,
    ];
    const dst = names.findIndex((other, i) => i > src && other !== name && other.length > 1 && others.includes(other));
    if (
      dst >= 0 &&
      /^(id|node|vertex|entity|protein|gene|person|user|author|station|account|stop|player|paper|word|name)/.test(name)
    )
      return { src, dst };
  }
  return null;
}

const usual = new Set<string>([...endNames.flat(), ...Object.values(columnNames).flat()]);

/** Whether tables of graphs usually have a column of this name. */
export function isUsualColumnName(name: string): boolean {
  const plain = plainName(name);
  return plain.length > 1 && (usual.has(plain) || usual.has(withoutSuffix(plain)));
}

/** Whether the name was made up for a column without one, or is a number. */
export function isMadeUpName(name: string): boolean {
  return /^(column)?\d+$/.test(name);
}

const featureName = /^(?:f|x|w|v|d|c|feat|feature|dim|emb|embedding|attr|col|word|pca|pc)[_-]?\d+$/i;

export function isFeatureName(name: string): boolean {
  return featureName.test(name);
}

const vectorName =
  /^(?:x|f|v|h|z)$|(?:vec|vector|vectors|feat|feats|feature|features|emb|embs|embedding|embeddings|bow|onehot|multihot|fingerprint)$/;
const neo4jFloats = /:(?:float|double)\[\](?:\{[^}]*\})?$/;

/** Whether a column of lists is called as what models learn from is. */
export function isVectorName(name: string): boolean {
  return isFeatureName(name) || vectorName.test(plainName(name)) || neo4jFloats.test(name);
}
