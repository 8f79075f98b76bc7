import { GnnError } from "../../errors/gnn-error.ts";
import type { EdgesSection } from "../dataset-spec.ts";
import type { PlainColumn } from "../wanted-column.ts";
import { type EdgeEnds, type EdgeRules, type EndNodes, unknownNode } from "./edge-ends.ts";
import { EdgeLabelReading, type EdgeLabels, hasEdgeLabels } from "./edge-labels.ts";
import { GrowableFloat32, GrowableInt32 } from "./growable.ts";
import type { IdIndex } from "./id-index.ts";
import { type EdgeFileShape, idOf, looksLikeComment, mostDecimals } from "./id-warnings.ts";
import {
  errorAt,
  type IngestContext,
  type Placed,
  type PlacedBatch,
  type PlacedIntegers,
  type PlacedTextIds,
  readIdRows,
  readSection,
} from "./ingest-context.ts";
import type { BadRow } from "./ingest-report.ts";
import { LinkColumnReading, type LinkColumns } from "./link-columns.ts";
import { localIds } from "./local-ids.ts";
import { type ProfiledColumn, type TableFacts, TableProfile } from "./profile/table-profile.ts";
import { TextCodes } from "./text-codes.ts";

type Texts = readonly (string | null)[];

/** The rows of the edges files that are edges, in their order, and behind them those that a relation adds. */
export interface EdgeRows {
  readonly src: Int32Array;
  readonly dst: Int32Array;
  /** How many of them are rows of the files */
  readonly numGiven: number;
  readonly weights: Float32Array | null;
  /** Provisional type codes. */
  readonly types: Int32Array | null;
  readonly typeNames: TextCodes;
  /** Row-major [numEdges, numFeatures] */
  readonly features: Float32Array | null;
  readonly links: LinkColumns;
  /** What is to be predicted of them; null: nothing */
  readonly known: EdgeLabels | null;
  /** Rows of the files, edges or not. */
  readonly rowsRead: number;
  readonly selfLoops: number;
  readonly danglingIds: number;
  readonly danglingRows: number;
  /** The first rows that were dropped, with their places. */
  readonly dropped: readonly BadRow[];
  readonly files: readonly EdgeFileShape[];
  readonly profile: TableFacts;
}

const maxRows = 2 ** 30;
const shownDropped = 20;

/**
 * Reads the edges files, looking up both ids of each row.
 *
 * @param ends ids of the nodes files; new ones are added when there are none, or when `missingNodes` says so
 * @throws GnnError DATASET_NODE_UNKNOWN, DATASET_VALUE_INVALID, DATASET_TOO_LARGE and what the readers throw
 */
export async function readEdges(
  context: IngestContext,
  section: EdgesSection,
  ends: EdgeEnds,
  rules: EdgeRules,
): Promise<EdgeRows> {
  const { src, dst, graph, weight, type, features } = section;
  const columns: ProfiledColumn<PlainColumn>[] = [
    { name: src, as: "text", role: "id" },
    { name: dst, as: "text", role: "id" },
    ...(graph === undefined ? [] : [{ name: graph, as: "text" as const, role: "graph" }]),
    ...(type === null ? [] : [{ name: type, as: "text" as const, role: "type" }]),
    ...LinkColumnReading.columnsOf(section),
    ...EdgeLabelReading.columnsOf(section),
    ...(weight === null ? [] : [{ name: weight, as: "number" as const, role: "weight" }]),
    ...features.map((name) => ({ name, as: "number" as const, role: "feature" })),
  ];
  const reading = new EdgeReading(section, ends, rules, new TableProfile("edges", columns, ends.relation));
  // Types, sides and classes are text of any kind, which only the general reader takes.
  const hasText = type !== null || graph !== undefined || section.split !== null || hasEdgeLabels(section);
  const batches = (hasText ? readSection : readIdRows)(context, section, columns, "read edges");
  for await (const batch of batches) {
    if (batch.kind === "integers") await reading.addIntegers(batch);
    else if (batch.kind === "textIds") await reading.addTextIds(batch);
    else await reading.add(batch);
  }
  return reading.finish();
}

/** The id of one end of a row: 0 is src, 1 is dst. */
type TextAt = (row: number, end: number) => string;

interface Relabelled {
  readonly src: Int32Array;
  readonly dst: Int32Array;
  readonly added: Float64Array;
}

class EdgeReading {
  readonly #section: EdgesSection;
  readonly #ends: EdgeEnds;
  readonly #rules: EdgeRules;
  readonly #links: LinkColumnReading;
  readonly #known: EdgeLabelReading;
  readonly #profile: TableProfile;
  readonly #src = new GrowableInt32();
  readonly #dst = new GrowableInt32();
  readonly #weights = new GrowableFloat32();
  readonly #types = new GrowableInt32();
  readonly #typeNames = new TextCodes();
  readonly #features = new GrowableFloat32();
  readonly #dangling = new Set<string>();
  readonly #dropped: BadRow[] = [];
  readonly #files: (EdgeFileShape & { rows: number; headers: number; comments: number; decimals: string[] })[] = [];
  #rowsRead = 0;
  #selfLoops = 0;
  #danglingRows = 0;
  /** Ids that integer batches named and the nodes files did not. */
  #numAdded = 0;

  constructor(section: EdgesSection, ends: EdgeEnds, rules: EdgeRules, profile: TableProfile) {
    this.#section = section;
    this.#ends = ends;
    this.#rules = rules;
    this.#links = new LinkColumnReading(section);
    this.#known = new EdgeLabelReading(section);
    this.#profile = profile;
  }

  async add(batch: PlacedBatch): Promise<void> {
    const { src, dst, graph, type, weight, features } = this.#section;
    const { src: srcNodes, dst: dstNodes } = this.#ends;
    const columns = [...batch.columns];
    const given = [columns.shift() as Texts, columns.shift() as Texts] as const;
    const graphs = graph === undefined ? null : (columns.shift() as Texts);
    const [srcIds, dstIds] = given.map((ids) => (graphs ? localIds(ids, graphs) : ids.map(idOf))) as [
      string[],
      string[],
    ];
    const types = type === null ? null : (columns.shift() as Texts);
    const ofLinks = LinkColumnReading.columnsOf(this.#section).map(() => columns.shift() as Texts);
    const ofLabels = columns.splice(0, EdgeLabelReading.columnsOf(this.#section).length);
    const numbers = columns as Float64Array[];
    const fields = [...(weight === null ? [] : [weight]), ...features];
    const shape = this.#count(batch, [srcIds[0] ?? "", dstIds[0] ?? ""]);
    for (let row = 0; row < batch.numRows; row++) {
      if (srcIds[row] === src && dstIds[row] === dst) shape.headers++;
      if (looksLikeComment(srcIds[row]!)) shape.comments++;
      if (shape.decimals.length < mostDecimals) shape.decimals.push(...decimalsOf(srcIds[row]!, dstIds[row]!));
      const from = known(srcIds[row]!, srcNodes) ?? (await this.#resolve(batch, row, src, srcIds[row]!, srcNodes));
      const to = known(dstIds[row]!, dstNodes) ?? (await this.#resolve(batch, row, dst, dstIds[row]!, dstNodes));
      if (this.#joinsGraphs(from, to)) throw await betweenGraphs(batch, row, dst, srcIds[row]!, dstIds[row]!);
      if (!this.#addEnds(from, to)) continue;
      if (types) this.#types.push(this.#typeNames.codeOf(types[row] ?? ""));
      const bad =
        this.#links.add(
          batch.file,
          ofLinks.map((cells) => cells[row] ?? null),
        ) ?? this.#known.add(ofLabels.map((cells) => cells[row]));
      if (bad) throw await errorAt("DATASET_VALUE_INVALID", batch, row, bad.column, bad.found);
      if (numbers.length > 0) await this.#addNumbers(batch, row, numbers, fields, weight !== null);
    }
    this.#profile.add(batch);
  }

  /** Adds rows whose ids are numbers, which are looked up together. */
  async addIntegers(batch: PlacedIntegers): Promise<void> {
    const [srcIds, dstIds] = batch.ids as [Float64Array, Float64Array];
    const textAt: TextAt = (row, end) => String((end === 0 ? srcIds : dstIds)[row]);
    this.#count(batch, [textAt(0, 0), textAt(0, 1)]);
    const relabelled = this.#relabel((ids) => ids.relabelPairs(srcIds, dstIds, this.#isAdding));
    await this.#addRelabelled(batch, relabelled, textAt);
    this.#profile.addIntegers(batch);
  }

  /** Adds rows whose ids are texts, which are looked up together. */
  async addTextIds(batch: PlacedTextIds): Promise<void> {
    const textAt = textsOf(batch);
    const shape = this.#count(batch, [textAt(0, 0), textAt(0, 1)]);
    const relabelled = this.#relabel((ids) => ids.relabelTexts(batch, this.#isAdding));
    for (const row of batch.odd) {
      const [src, dst] = [textAt(row, 0), textAt(row, 1)];
      if (looksLikeComment(src)) shape.comments++;
      if (shape.decimals.length < mostDecimals) shape.decimals.push(...decimalsOf(src, dst));
    }
    shape.headers += this.#headersAmong(relabelled);
    await this.#addRelabelled(batch, relabelled, textAt);
    this.#profile.addTextIds(batch, textAt);
  }

  finish(): EdgeRows {
    const { weight, type, features } = this.#section;
    return {
      src: this.#src.values,
      dst: this.#dst.values,
      numGiven: this.#src.length,
      weights: weight === null ? null : this.#weights.values,
      types: type === null ? null : this.#types.values,
      typeNames: this.#typeNames,
      features: features.length === 0 ? null : this.#features.values,
      links: this.#links.finish(),
      known: this.#known.finish(),
      rowsRead: this.#rowsRead,
      selfLoops: this.#selfLoops,
      danglingIds: this.#dangling.size + this.#numAdded,
      danglingRows: this.#danglingRows,
      dropped: this.#dropped,
      files: this.#files,
      profile: this.#profile,
    };
  }

  /** Ids that no node has become nodes; not where the two ends are nodes of two tables. */
  get #isAdding(): boolean {
    const { src, dst } = this.#ends;
    return src.ids === dst.ids && (!this.#rules.hasNodes || this.#rules.missingNodes === "add");
  }

  /** Both ends, each among the nodes of its table. */
  #relabel(look: (ids: IdIndex) => Relabelled): Relabelled {
    const { src, dst } = this.#ends;
    const first = look(src.ids);
    return src.ids === dst.ids ? first : { ...first, dst: look(dst.ids).dst };
  }

  async #addRelabelled(
    batch: PlacedIntegers | PlacedTextIds,
    { src, dst, added }: Relabelled,
    textAt: TextAt,
  ): Promise<void> {
    const { src: srcField, dst: dstField } = this.#section;
    const { src: srcNodes, dst: dstNodes } = this.#ends;
    if (this.#rules.hasNodes) this.#numAdded += added.length;
    const [times, numbers] =
      this.#section.time === null ? [undefined, batch.numbers] : [batch.numbers[0], batch.numbers.slice(1)];
    for (let row = 0; row < batch.numRows; row++) {
      const from = src[row]! < 0 ? -1 : srcNodes.first + src[row]!;
      const to = dst[row]! < 0 ? -1 : dstNodes.first + dst[row]!;
      if (from < 0) await this.#resolve(batch, row, srcField, textAt(row, 0), srcNodes);
      if (to < 0) await this.#resolve(batch, row, dstField, textAt(row, 1), dstNodes);
      if (this.#joinsGraphs(from, to)) throw await betweenGraphs(batch, row, dstField, textAt(row, 0), textAt(row, 1));
      if (!this.#addEnds(from, to)) continue;
      this.#links.addTime(batch.file, times?.[row]);
      this.#addNumbersOf(numbers, row);
    }
  }

  /** How many rows repeat the names of the columns. */
  #headersAmong({ src, dst }: Relabelled): number {
    const { src: srcNodes, dst: dstNodes } = this.#ends;
    const [from, to] = [srcNodes.ids.indexOf(this.#section.src), dstNodes.ids.indexOf(this.#section.dst)];
    if (from < 0 || to < 0) return 0;
    return src.reduce((sum, index, row) => sum + Number(index === from && dst[row] === to), 0);
  }

  /** Counts the rows of a batch, and to which file they belong. */
  #count({ file, numRows }: Placed & { readonly numRows: number }, first: readonly [string, string]) {
    this.#rowsRead += numRows;
    if (this.#rowsRead > maxRows) throw tooManyRows();
    if (this.#files.at(-1)?.file !== file)
      this.#files.push({ file, first, rows: 0, headers: 0, comments: 0, decimals: [] });
    const shape = this.#files.at(-1)!;
    shape.rows += numRows;
    return shape;
  }

  /** Whether the row is an edge; if so, its ends are kept. */
  #addEnds(from: number, to: number): boolean {
    if (from < 0 || to < 0) {
      this.#danglingRows++;
      return false;
    }
    if (from === to) {
      this.#selfLoops++;
      if (this.#rules.selfLoops === "drop") return false;
    }
    this.#src.push(from);
    this.#dst.push(to);
    return true;
  }

  #joinsGraphs(from: number, to: number): boolean {
    const { graphOf } = this.#rules;
    return graphOf !== undefined && from >= 0 && to >= 0 && graphOf[from] !== graphOf[to];
  }

  #addNumbersOf(columns: readonly Float64Array[], row: number): void {
    const hasWeight = this.#section.weight !== null;
    for (let i = 0; i < columns.length; i++)
      (hasWeight && i === 0 ? this.#weights : this.#features).push(columns[i]![row]!);
  }

  /** NodeIndex of an id that is not among the nodes; -1 when its row is to be dropped. */
  async #resolve(batch: Placed, row: number, field: string, id: string, nodes: EndNodes): Promise<number> {
    if (id === "") throw await errorAt("DATASET_VALUE_INVALID", batch, row, field, "the id is empty.");
    const { hasNodes, missingNodes } = this.#rules;
    if (!hasNodes) return nodes.ids.add(id);
    if (missingNodes === "error") {
      throw await errorAt("DATASET_NODE_UNKNOWN", batch, row, field, unknownNode(id, nodes));
    }
    this.#dangling.add(id);
    if (missingNodes === "add") return nodes.ids.add(id);
    if (this.#dropped.length < shownDropped) {
      const line = await batch.table.lineOf(batch.firstRow + row);
      this.#dropped.push({ file: batch.file, line, column: field, found: id.slice(0, 200) });
    }
    return -1;
  }

  async #addNumbers(
    batch: PlacedBatch,
    row: number,
    columns: readonly Float64Array[],
    fields: readonly string[],
    hasWeight: boolean,
  ): Promise<void> {
    for (let i = 0; i < columns.length; i++) {
      const value = Math.fround(columns[i]![row]!);
      if (!Number.isFinite(value)) {
        const message = Number.isNaN(value)
          ? "the value is empty; expected a number."
          : "the number does not fit float32.";
        throw await errorAt("DATASET_VALUE_INVALID", batch, row, fields[i]!, message);
      }
      (hasWeight && i === 0 ? this.#weights : this.#features).push(value);
    }
  }
}

function textsOf({ bytes, offsets }: PlacedTextIds): TextAt {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return (row, end) => buffer.toString("utf8", offsets[2 * row + end], offsets[2 * row + end + 1]);
}

function decimalsOf(...ids: readonly string[]): string[] {
  return ids.filter((id) => id.endsWith(".0") && /^-?\d+\.0$/.test(id));
}

/** NodeIndex of the id among the nodes of an end, if it is there. */
function known(id: string, { ids, first }: EndNodes): number | undefined {
  if (id === "") return undefined;
  const index = ids.indexOf(id);
  return index < 0 ? undefined : first + index;
}

function betweenGraphs(batch: Placed, row: number, field: string, src: string, dst: string): Promise<GnnError> {
  const found = `the edge joins ${JSON.stringify(src)} with ${JSON.stringify(dst)}, a node of another graph; expected both ends in one graph.`;
  return errorAt("DATASET_VALUE_INVALID", batch, row, field, found);
}

function tooManyRows(): GnnError {
  const message = `The edges files have more than ${maxRows} rows, the most this version reads.`;
  return new GnnError("DATASET_TOO_LARGE", message);
}
