import type { Registry } from "../../components/registry.ts";
import { recordsOf } from "../dialect/delimiter.ts";
import { detectDialect, textFromLine } from "../dialect/detect-dialect.ts";
import type { Dialect } from "../dialect/dialect.ts";
import { type FileKind, fileKindOf } from "../file-kind.ts";
import { isApocLine } from "../graph-files/apoc.ts";
import { isCx } from "../graph-files/cx.ts";
import { isGraphJson } from "../graph-files/graph-json-layout.ts";
import { layoutOfText } from "../json/json-layout.ts";
import { listsByKey } from "../json-lists/lists-by-key.ts";
import { isNTriples } from "../rdf/is-n-triples.ts";
import { isTurtle } from "../rdf/is-turtle.ts";
import { compressionOf, readHead } from "../text-file.ts";
import { type ReaderChoice, readerFor, type UploadedFile } from "../uploaded-files.ts";
import { foreignJson, foreignRecords } from "./foreign-json.ts";
import { lineReaderOf } from "./line-formats.ts";
import { foreignText, graphReaderOf } from "./text-formats.ts";

/** Who reads a file: a reader of the catalogue, `npy` or `npz` for a matrix, or nobody, and why. */
export interface ChosenReader {
  readonly name: string | null;
  readonly options: Readonly<Record<string, unknown>>;
  /** Whether the spec must name it, since the file's ending asks for another or for none. */
  readonly isChosen: boolean;
  readonly reason: string | null;
}

/**
 * The reader that somebody has chosen; else the one that the first bytes of the file ask for; else that of its ending.
 * Text whose ending says nothing is read when its lines have the same number of fields.
 */
export async function chooseReader(
  registry: Registry,
  file: UploadedFile,
  choice: ReaderChoice | undefined,
): Promise<ChosenReader> {
  if (choice)
    return { name: choice.type, options: choice.options, isChosen: true, reason: "It is read as you have chosen." };
  const byName = readerFor(registry, file.name)?.name ?? null;
  const found = await fileKindOf(file.path);
  const matrix = /\.(npy|npz)$/i.exec(file.name)?.[1]?.toLowerCase();
  // Whether it is a whole matrix shows when it is read.
  if (matrix !== undefined && found.kind === "text") return asEnding(matrix);
  return found.kind === "text" ? readerOfText(registry, file, byName) : readerOfKind(registry, file, byName, found);
}

/** What the first bytes say leaves little to choose. */
async function readerOfKind(
  registry: Registry,
  file: UploadedFile,
  byName: string | null,
  found: FileKind,
): Promise<ChosenReader> {
  const { name } = file;
  if (found.kind === "foreign") return nobody(`${name} is ${found.what}.`);
  if (found.kind === "sqlite" || found.kind === "duckdb")
    return nobody(`${name} is a database in an archive: upload it by itself.`);
  if (found.kind === "hdf5") return nobody(`${name} is an HDF5 file in an archive: upload it by itself.`);
  if (found.kind === "mat") return nobody(`${name} is a MATLAB file in an archive: upload it by itself.`);
  if (found.kind === "zip" || found.kind === "tar")
    return nobody(`${name} is a ${found.kind} archive in an archive: unpack it first.`);
  if (found.kind === "bzip2") return nobody(`${name} is packed with bzip2 in an archive: unpack it first.`);
  if (found.kind === "xlsx") return named("xlsx", byName, "It is an Excel workbook.");
  if (found.kind === "npy" || found.kind === "npz") return asEnding(found.kind);
  // Terms of Turtle may stand in the brackets of JSON and of XML.
  if (byName === "turtle" && (found.kind === "json" || found.kind === "xml")) return asEnding(byName);
  if (found.kind === "json" && (byName === null || isBuiltIn(byName))) return readerOfJson(file, byName);
  if (found.kind === "xml" && (byName === null || isBuiltIn(byName))) return readerOfXml(file, byName);
  if (found.kind === "parquet") return named("parquet", byName, "Its first bytes are those of a Parquet file.");
  if (found.kind !== "packed" && (byName === null || isBuiltIn(byName))) return nobody(notATable(name, found.kind));
  return byName === null ? nobody(unknownEnding(registry, name)) : asEnding(byName);
}

const rdfInXml =
  'RDF in XML: rdflib.Graph().parse(path, format="xml").serialize("graph.nt", format="nt") writes it as N-Triples, which are read.';

/** By the name of the outermost element. */
async function readerOfXml(file: UploadedFile, byName: string | null): Promise<ChosenReader> {
  const text = await headOf(file);
  const root = /<(?:\w+:)?(graphml|gexf)[\s/>]/.exec(text ?? "")?.[1];
  if (root !== undefined) return named(root, byName, wholeGraph);
  return nobody(/<rdf:RDF[\s>]/.test(text ?? "") ? `${file.name} holds ${rdfInXml}` : notATable(file.name, "xml"));
}

/** Records are a table; the exchange formats of graphs, which are JSON as well, hold two. */
async function readerOfJson(file: UploadedFile, byName: string | null): Promise<ChosenReader> {
  const text = await headOf(file);
  if (text !== null && isApocLine(text.trimStart().split("\n", 1)[0]!)) return named("apoc-json", byName, wholeGraph);
  if (byName === "cx" || (text !== null && isCx(text))) return named("cx", byName, wholeGraph);
  const other = foreignRecords(text ?? "", file.name);
  if (other !== null) return nobody(other);
  if (text !== null && isGraphJson(text) && layoutOfText(text) !== "lines")
    return named("graph-json", byName, wholeGraph);
  const lists = text === null || layoutOfText(text, file.name) !== null ? null : listsByKey(text);
  if (lists === "byKey") return named("json-lists", byName, "It holds a list for each key of one object.");
  if (lists === "byColumn") return nobody(listOfEachColumn(file.name));
  if (text === null || layoutOfText(text, file.name) === null)
    return nobody(foreignJson(text ?? "", file.name) ?? notATable(file.name, "json"));
  return named("json", byName, "It holds JSON objects, one for each row.");
}

/** The beginning of a text; null: it is none, and the reader of its ending says why. */
async function headOf({ path, name }: UploadedFile): Promise<string | null> {
  const compression = await compressionOf(path);
  const head = compression === "zstd" ? null : await readHead(path, compression, name).catch(() => null);
  return head?.text.replace(/^\ufeff/, "") ?? null;
}

function asEnding(name: string): ChosenReader {
  return { name, options: {}, isChosen: false, reason: null };
}

function nobody(reason: string): ChosenReader {
  return { name: null, options: {}, isChosen: false, reason };
}

function named(name: string, byName: string | null, reason: string | null): ChosenReader {
  return name === byName
    ? { name, options: {}, isChosen: false, reason: null }
    : { name, options: {}, isChosen: true, reason };
}

function isText(reader: string): boolean {
  return reader === "csv" || reader === "edge-list";
}

const ofGraphs = new Set(
  "graphml gexf gml pajek graph-json matrix-market konect lgl metis dimacs adjacency-list networkx-edges apoc-json gdf sif dot tgf cx".split(
    " ",
  ),
);
const wholeGraph = "It holds a whole graph: its edges and its nodes are a table each.";

function isBuiltIn(reader: string): boolean {
  return isText(reader) || ["json", "json-lists", "n-triples", "turtle"].includes(reader) || ofGraphs.has(reader);
}

async function readerOfText(registry: Registry, file: UploadedFile, byName: string | null): Promise<ChosenReader> {
  // A text called .parquet is read as text; readers that somebody has added know what they take.
  if (byName !== null && byName !== "parquet" && !isBuiltIn(byName)) return named(byName, byName, null);
  // What is no text at all has an error of its own, which the reader of its ending gives.
  const compression = await compressionOf(file.path);
  const head = compression === "zstd" ? null : await readHead(file.path, compression, file.name).catch(() => null);
  if (head === null) return byName === null ? nobody(unknownEnding(registry, file.name)) : named(byName, byName, null);
  // A line without an end is no prose: the reader of its ending says how long lines may be.
  if (byName !== null && !head.isWhole && !/[\n\r]/.test(head.text)) return named(byName, byName, null);
  const text = head.text.replace(/^\ufeff/, "");
  const graphReader = graphReaderOf(text);
  if (graphReader !== null) return named(graphReader, byName, wholeGraph);
  // Nothing in it says what it is, and lines of three words would pass for triples.
  if (byName === "sif" || byName === "tgf") return named(byName, byName, wholeGraph);
  if (byName === "turtle" || isTurtle(text)) return named("turtle", byName, "It holds RDF in Turtle, TriG or N-Quads.");
  if (isNTriples(text)) return named("n-triples", byName, "It holds RDF in N-Triples, a triple on each line.");
  const lineReader = lineReaderOf({ ...head, text }, byName);
  if (lineReader === "networkx-edges") return named(lineReader, byName, "A dict of Python stands behind both ends.");
  if (lineReader !== null) return named(lineReader, byName, wholeGraph);
  const foreign = foreignText({ ...head, text }, file.name);
  if (foreign !== null) return nobody(`${file.name} holds ${foreign}`);
  const dialect = detectDialect({ ...head, text });
  const records = recordsOf(
    textFromLine(text, dialect.skipLines),
    dialect.delimiter,
    head.isWhole,
    undefined,
    dialect.escape,
  );
  if (!isTable(records)) {
    const isOneColumn = byName === "csv" && records.every(({ length }) => length === 1);
    if (isOneColumn || byName === "csv") return named("csv", byName, null);
    return nobody(
      `${file.name} holds text, but its lines do not have the same number of fields between commas, tabs, semicolons, vertical bars, blanks or another delimiter that is known. If each line lists a node and its neighbours, choose the reader of lists of neighbours.`,
    );
  }
  return named(dialect.delimiter === "blanks" ? "edge-list" : "csv", byName, byDelimiter(dialect));
}

function byDelimiter({ delimiter }: Dialect): string {
  return delimiter === "blanks"
    ? "Its fields stand between blanks."
    : "Its fields stand between delimiters, as in a CSV file.";
}

/** Nine lines of ten have the same number of fields, at least two: prose does not. */
function isTable(records: readonly (readonly string[])[]): boolean {
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [numFields, most] = [...counts].toSorted((a, b) => b[1] - a[1])[0] ?? [0, 0];
  return numFields > 1 && most >= records.length * 0.9;
}

function listOfEachColumn(name: string): string {
  return `${name} holds a list for each column: pandas.read_json(path).to_json(path, orient="records", lines=True) writes an object for each row, which is read.`;
}

function unknownEnding(registry: Registry, name: string): string {
  const known = registry.list("reader").flatMap((reader) => reader.extensions);
  return `No reader knows the ending of ${name}; known are ${known.join(", ")}, .npy and .npz.`;
}

function notATable(name: string, kind: FileKind["kind"]): string {
  const what = kind === "json" ? "JSON that lists no records" : "XML";
  return `${name} holds ${what}, which no reader takes yet. Write its edges as a table: CSV, TSV, Parquet or JSON lines.`;
}
