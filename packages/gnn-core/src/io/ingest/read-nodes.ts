import type { NodesSection } from "../dataset-spec.ts";
import { addIds } from "./add-ids.ts";
import { type FeatureLayout, featureLayoutOf, scalarsOf } from "./feature-layout.ts";
import type { FeatureRowSink } from "./feature-matrix.ts";
import { featureRows } from "./feature-rows.ts";
import { DenseFeatureSink } from "./feature-sink.ts";
import type { GraphRanges } from "./graph-ranges.ts";
import { GrowableFloat32, GrowableInt32 } from "./growable.ts";
import type { IdIndex } from "./id-index.ts";
import { idOf, looksLikeComment, type NodeFileShape } from "./id-warnings.ts";
import { MultiHotCells, multiHotName } from "./index-lists.ts";
import { errorAt, type IngestContext, type PlacedBatch } from "./ingest-context.ts";
import type { Joined } from "./join/read-joined.ts";
import { LabelPairs } from "./label-pairs.ts";
import type { FileRows } from "./last-rows.ts";
import { localIds } from "./local-ids.ts";
import { type MissingFills, missingFills } from "./missing-fills.ts";
import { type NodeSource, openNodes, plainSource, readNodeColumns } from "./node-source.ts";
import { NodeTypeOf, type TypeCombination } from "./node-type-of.ts";
import { OneHotCells, type OneHotColumn, oneHotDim, oneHotNames, readOneHotColumns } from "./one-hot.ts";
import { ClassTellers } from "./profile/class-tellers.ts";
import { maxProfiledColumns, type ProfiledColumn, type TableFacts, TableProfile } from "./profile/table-profile.ts";
import { addLabelCell, addLabelColumns, readLabelFile } from "./read-labels.ts";
import { SparseFeatureSink, sparseLayoutOf } from "./sparse-feature-sink.ts";
import { addSplitMasks, splitMaskColumns } from "./split-masks.ts";
import { splitCodes, splitOf, splitWords } from "./split-words.ts";
import { TextCodes } from "./text-codes.ts";

type Texts = readonly (string | null)[];

/** What the nodes files say, by NodeIndex = row. */
export interface NodeRows {
  readonly numRows: number;
  /** Provisional class codes, -1 = unlabelled. */
  readonly labels: Int32Array;
  readonly classes: TextCodes;
  /** Several labels per node, if they were mapped so */
  readonly labelPairs: Pick<LabelPairs, "finish"> | null;
  readonly targetNames: readonly string[];
  /** float32 [numRows, targetNames.length]; NaN = not known */
  readonly targets: Float32Array;
  readonly splits: Int32Array;
  /** Provisional type codes, -1 = the cell is empty; null: no column of types was mapped */
  readonly types: Int32Array | null;
  readonly typeNames: TextCodes;
  /** What nodes with several labels became */
  readonly typeCombinations: readonly TypeCombination[];
  readonly features: DenseFeatureSink | SparseFeatureSink | null;
  /** Whether the rows have features, in columns or in a matrix */
  readonly hasFeatures: boolean;
  readonly hasMultiLabels: boolean;
  /** Words read as "not known" in the label column, and how often each was there */
  readonly missingLabels: ReadonlyMap<string, number>;
  readonly files: readonly NodeFileShape[];
  readonly profile: TableFacts;
  /** Feature columns that give the class away */
  readonly tellClass: readonly string[];
  /** Feature columns that give away on which side of the split a node is */
  readonly tellSplit: readonly string[];
}

/**
 * Reads the nodes files and the tables joined to them; every id is added to `ids` in file order, feature columns go
 * straight to disk.
 *
 * @throws GnnError DATASET_DUPLICATE, DATASET_VALUE_INVALID and what the readers throw
 */
export async function readNodes(
  context: IngestContext,
  spec: NodesSection,
  ids: IdIndex,
  graphs: NodeGraphs | null = null,
): Promise<NodeRows> {
  const source = await openNodes(context, spec, ids, graphs?.areIdsLocal ?? false);
  const oneHot = await readOneHotColumns(context, spec, source);
  const sink = await openSink(context, spec, oneHot);
  return { ...(await readNodesInto(context, spec, ids, sink, { oneHot, graphs, source })), features: sink };
}

/** Graphs that the nodes belong to */
export interface NodeGraphs {
  readonly ranges: GraphRanges;
  /** Ids are unique in their graph alone: a node is called `graph/id`. */
  readonly areIdsLocal: boolean;
}

interface NodeReadingOptions {
  /** Type of all the nodes; left out: a column says it, or they are all alike */
  readonly type?: string | null;
  readonly oneHot?: readonly OneHotColumn[];
  /** Left out: the dataset is one graph */
  readonly graphs?: NodeGraphs | null;
  /** Left out: the rows of the table as they stand */
  readonly source?: NodeSource;
}

/** @param sink null: there are no feature columns */
export async function readNodesInto(
  context: IngestContext,
  spec: NodesSection,
  ids: IdIndex,
  sink: FeatureRowSink | null,
  { type = null, oneHot = [], graphs = null, source = plainSource }: NodeReadingOptions = {},
): Promise<Omit<NodeRows, "features">> {
  const layout = featureLayoutOf(spec, context.limits, oneHotDim(oneHot));
  const columns = columnsOf(spec, layout);
  const fills = await missingFills(context, spec, layout, source);
  const profile = new TableProfile("nodes", columns, type);
  const { last, joined } = source;
  const parts = { sink, profile, oneHot: new OneHotCells(oneHot), graphs, joined };
  const reading = new NodeReading(spec, fills, ids, parts);
  for await (const batch of readNodeColumns(context, spec, columns, "read nodes", source)) await reading.add(batch);
  for (const note of [...fills.notes(), ...reading.notes()]) context.notes.add(note);
  if (spec.labelFile) await readLabelFile(context, spec.labelFile, ids, reading.pairs);
  const read = reading.finish();
  // Where rows are ids alone, as those of edges are, a row that comes again takes nothing away.
  return last === null || columns.length === 1 ? read : { ...read, files: withReplaced(read.files, last.files) };
}

/** All rows of each file, not only those that nodes were read from. */
function withReplaced(read: readonly NodeFileShape[], files: readonly FileRows[]): NodeFileShape[] {
  const commentsOf = new Map(read.map(({ file, comments }) => [file, comments]));
  return files.map((rows) => ({ ...rows, comments: commentsOf.get(rows.file) ?? 0 }));
}

/** The mapped columns in the order in which each batch brings them. */
function columnsOf(spec: NodesSection, layout: FeatureLayout): ProfiledColumn[] {
  const text = (role: string, names: readonly (string | null)[], missingWords: readonly string[] = []) =>
    names.flatMap((name) => (name === null ? [] : [{ name, as: "text" as const, role, missingWords }]));
  const number = (role: string, names: readonly string[]) =>
    names.map((name) => ({ name, as: "number" as const, role }));
  return [
    ...text("id", [spec.id]),
    ...text("graph", [spec.graph ?? null]),
    ...text("feature", oneHotNames(spec)),
    ...text("feature", [multiHotName(spec)]).map((column) => ({ ...column, areLong: true })),
    ...text("label", [spec.label], spec.missingLabels),
    ...text("split", [spec.split]),
    ...text("type", [spec.type]),
    ...text("split", splitMaskColumns(spec)),
    ...text("label", spec.labelColumns),
    ...number("target", spec.targets),
    ...layout.wanted.map((column) => ({ ...column, role: "feature" })),
  ];
}

async function openSink(
  context: IngestContext,
  spec: NodesSection,
  oneHot: readonly OneHotColumn[],
): Promise<DenseFeatureSink | SparseFeatureSink | null> {
  const { dim } = featureLayoutOf(spec, context.limits, oneHotDim(oneHot));
  const sparse = sparseLayoutOf(spec, dim);
  if (sparse) return new SparseFeatureSink(context, sparse, oneHot);
  const { outDir, onFailure } = context;
  if (dim === 0) return null;
  const sink = await DenseFeatureSink.open(outDir, dim, oneHot);
  onFailure.push(() => sink.abandon());
  return sink;
}

interface NodeReadingParts {
  readonly sink: FeatureRowSink | null;
  readonly profile: TableProfile;
  readonly oneHot: OneHotCells;
  readonly graphs: NodeGraphs | null;
  readonly joined: Joined | null;
}

class NodeReading {
  readonly #spec: NodesSection;
  readonly #layout: FeatureLayout;
  readonly #fills: MissingFills;
  readonly #oneHot: OneHotCells;
  /** null: no column has lists of indices */
  readonly #multiHot: MultiHotCells | null;
  readonly #graphs: NodeGraphs | null;
  readonly #ids: IdIndex;
  /** null: ids are added as rows are read */
  readonly #joined: Joined | null;
  #numNodes = 0;
  readonly #sink: FeatureRowSink | null;
  readonly #profile: TableProfile;
  readonly #tellers: ClassTellers | null;
  readonly #splitTellers: ClassTellers | null;
  readonly #labels = new GrowableInt32();
  readonly #classes = new TextCodes();
  readonly #splits = new GrowableInt32();
  readonly #types = new GrowableInt32();
  readonly #typeNames = new TextCodes();
  readonly #typeOf: NodeTypeOf;
  readonly #targets = new GrowableFloat32();
  /** Nodes and labels, where a node may have several */
  readonly pairs = new LabelPairs();
  #hasMultiLabels = false;
  readonly #missingWords: ReadonlySet<string>;
  readonly #missingLabels = new Map<string, number>();
  readonly #files: (NodeFileShape & { rows: number; comments: number })[] = [];

  constructor(
    spec: NodesSection,
    fills: MissingFills,
    ids: IdIndex,
    { sink, profile, oneHot, graphs, joined }: NodeReadingParts,
  ) {
    this.#spec = spec;
    this.#fills = fills;
    this.#layout = fills.layout;
    this.#oneHot = oneHot;
    const lists = multiHotName(spec);
    this.#multiHot = lists === null ? null : new MultiHotCells(spec, lists);
    this.#graphs = graphs;
    this.#typeOf = new NodeTypeOf(spec.typeRule ?? null);
    this.#missingWords = new Set(spec.missingLabels);
    this.#ids = ids;
    this.#joined = joined;
    this.#sink = sink;
    this.#profile = profile;
    const hasClasses = spec.label !== null && spec.labelSeparator === null;
    const numLookedAt = Math.min(maxProfiledColumns, fills.layout.scalars.length);
    this.#tellers = hasClasses && numLookedAt > 0 ? new ClassTellers(numLookedAt) : null;
    const hasSplit = spec.split !== null || splitMaskColumns(spec).length > 0 || !!joined?.sides;
    this.#splitTellers = hasSplit && numLookedAt > 0 ? new ClassTellers(numLookedAt) : null;
  }

  async add(batch: PlacedBatch): Promise<void> {
    const columns = [...batch.columns];
    const { label, split, type, labelColumns, targets } = this.#spec;
    const firstNode = this.#numNodes;
    const given = columns.shift() as Texts;
    const graphOf = this.#spec.graph === undefined ? null : await this.#graphsOf(batch, columns.shift() as Texts);
    await this.#addIds(batch, graphOf && this.#graphs?.areIdsLocal ? localIds(given, graphOf) : given);
    const kinds = columns.splice(0, oneHotNames(this.#spec).length) as Texts[];
    const lists = (await this.#multiHot?.read(batch, columns.shift() as Texts)) ?? null;
    if (label !== null) this.#addLabels(columns.shift() as Texts, firstNode);
    if (split !== null) await this.#addSplits(batch, columns.shift() as Texts, split);
    if (type !== null) this.#addTypes(columns.shift() as Texts);
    const masks = columns.splice(0, splitMaskColumns(this.#spec).length) as Texts[];
    this.#addSides(firstNode, batch.numRows);
    if (masks.length > 0) await addSplitMasks(this.#splits, batch, this.#spec, masks);
    const oneHot = columns.splice(0, labelColumns.length) as Texts[];
    if (oneHot.length > 0) await addLabelColumns(this.pairs, batch, firstNode, labelColumns, oneHot);
    await this.#addTargets(batch, columns.splice(0, targets.length) as Float64Array[]);
    const features = columns as Float64Array[];
    const scalars = scalarsOf(this.#layout, features);
    this.#tellers?.add(scalars, this.#labels.values.subarray(firstNode));
    this.#splitTellers?.add(scalars, this.#sidesFrom(firstNode));
    if (this.#sink) await this.#sink.append(await this.#featureRows(batch, kinds, features), lists);
    this.#profile.add(batch);
  }

  /** What was found in lists of indices, in sentences */
  notes(): string[] {
    return this.#multiHot?.notes() ?? [];
  }

  finish(): Omit<NodeRows, "features"> {
    const { type, labelSeparator, labelColumns, labelFile, targets } = this.#spec;
    const hasPairs = labelSeparator !== null || labelColumns.length > 0 || labelFile !== null;
    return {
      numRows: this.#numNodes,
      labels: this.#labels.values,
      classes: this.#classes,
      labelPairs: hasPairs ? this.pairs : null,
      targetNames: targets,
      targets: this.#targets.values,
      splits: this.#splits.values,
      types: type === null ? null : this.#types.values,
      typeNames: this.#typeNames,
      typeCombinations: this.#typeOf.combinations,
      hasFeatures: this.#spec.features !== null,
      hasMultiLabels: this.#hasMultiLabels,
      missingLabels: this.#missingLabels,
      files: this.#files,
      profile: this.#profile,
      tellClass: this.#namesOf(this.#tellers),
      tellSplit: this.#namesOf(this.#splitTellers),
    };
  }

  #namesOf(tellers: ClassTellers | null): string[] {
    return (tellers?.finish() ?? []).map((column) => this.#layout.scalars[column]!.name);
  }

  /** Side of each node from this one on, -1 = none */
  #sidesFrom(firstNode: number): Int32Array {
    return this.#splits.values.subarray(firstNode).map((code) => (code === splitCodes.none ? -1 : code));
  }

  async #addIds(batch: PlacedBatch, column: Texts): Promise<void> {
    const { file, numRows } = batch;
    if (this.#files.at(-1)?.file !== file) this.#files.push({ file, rows: 0, comments: 0 });
    const shape = this.#files.at(-1)!;
    shape.rows += numRows;
    if (this.#joined === null) await addIds(this.#ids, batch, column, this.#spec.id);
    for (const cell of column) if (looksLikeComment(idOf(cell))) shape.comments++;
    this.#numNodes += numRows;
  }

  /** The sides that lists of ids give nodes */
  #addSides(firstNode: number, numNodes: number): void {
    if (!this.#joined?.sides) return;
    for (const code of this.#joined.sides.subarray(firstNode, firstNode + numNodes)) this.#splits.push(code);
  }

  #addLabels(column: Texts, firstNode: number): void {
    const { labelSeparator } = this.#spec;
    for (const [row, cell] of column.entries()) {
      const label = this.#knownLabel(cell);
      if (labelSeparator !== null) {
        addLabelCell(this.pairs, firstNode + row, label, labelSeparator);
        continue;
      }
      this.#labels.push(label === "" ? -1 : this.#classes.codeOf(label));
      this.#hasMultiLabels ||= label.includes("|");
    }
  }

  /** The label without blanks around it; empty when the cell says that it is not known. */
  #knownLabel(cell: string | null): string {
    const label = (cell ?? "").trim();
    if (!this.#missingWords.has(label)) return label;
    this.#missingLabels.set(label, (this.#missingLabels.get(label) ?? 0) + 1);
    return "";
  }

  #addTypes(column: Texts): void {
    for (const cell of column) {
      const type = this.#typeOf.typeOf(cell ?? "");
      this.#types.push(type === "" ? -1 : this.#typeNames.codeOf(type));
    }
  }

  async #addSplits(batch: PlacedBatch, column: Texts, field: string): Promise<void> {
    for (let row = 0; row < batch.numRows; row++) {
      const split = splitOf(column[row]!, this.#spec.splitWords);
      if (split === undefined) {
        const message = `"${column[row]}" is no split; expected one of ${splitWords.join(", ")} or nothing. Say in splitWords what other words mean.`;
        throw await errorAt("DATASET_VALUE_INVALID", batch, row, field, message);
      }
      this.#splits.push(splitCodes[split]);
    }
  }

  /** An empty cell is not known; everything else must be a finite number. */
  async #addTargets(batch: PlacedBatch, columns: readonly Float64Array[]): Promise<void> {
    for (let row = 0; row < batch.numRows; row++) {
      for (const [i, column] of columns.entries()) {
        const value = Math.fround(column[row]!);
        if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) {
          const message = "the target is infinite, or does not fit float32; leave it empty when it is not known.";
          throw await errorAt("DATASET_VALUE_INVALID", batch, row, this.#spec.targets[i]!, message);
        }
        this.#targets.push(value);
      }
    }
  }

  /** The ones of kinds, then the numbers. */
  async #featureRows(
    batch: PlacedBatch,
    kinds: readonly Texts[],
    columns: readonly Float64Array[],
  ): Promise<Float32Array> {
    const rows = await featureRows(this.#fills, batch, columns);
    await this.#oneHot.write(batch, kinds, rows, this.#layout.dim);
    return rows;
  }

  async #graphsOf(batch: PlacedBatch, column: Texts): Promise<Texts> {
    return (await this.#graphs?.ranges.add(batch, column, this.#spec.graph as string)) ?? column;
  }
}
