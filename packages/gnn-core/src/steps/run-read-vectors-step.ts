import { join } from "node:path";
import type { StepContext } from "../components/define-step.ts";
import { sharedNpy } from "../dist/shared-npy.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { idTexts, openNodeIds } from "../export/node-ids.ts";
import { Uploads } from "../io/archives/uploads.ts";
import { IdIndex } from "../io/ingest/id-index.ts";
import { idOf } from "../io/ingest/id-warnings.ts";
import { errorAt, type IngestContext, type PlacedBatch, readSection } from "../io/ingest/ingest-context.ts";
import { graphInfo } from "../io/ingest/ingest-report.ts";
import { Deadline } from "../io/limits/deadline.ts";
import { defaultReadingLimits } from "../io/limits/reading-limits.ts";
import type { ArtifactDir, ManifestDraft } from "../io/manifest.ts";
import { readNpy, writeNpy } from "../io/npy.ts";
import { StepProgress } from "../io/step-progress.ts";
import { uploadedFilesOf } from "../io/uploaded-files.ts";
import { isAmongUploaded, type ReadVectorsOptions, type VectorsInfo } from "../spec/vector-options.ts";
import { stepInput } from "./step-input.ts";
import { vectorColumns } from "./vector-columns.ts";

const idsPerRead = 65_536;
const shownIds = 5;

/**
 * The work of `steps/read-vectors.step.ts`, by GlobalId:
 *
 *   vectors.npy  float32 [nodes, dim], zeros where the file has none      known.npy  int8 [nodes], 1 where it has one
 *
 * @throws GnnError SPEC_INVALID, DATASET_FILE_MISSING, DATASET_COLUMN_MISSING, DATASET_VALUE_INVALID, DATASET_DUPLICATE
 * with file, line and column; DATASET_NODE_UNKNOWN when no row is that of a node; what the readers throw
 */
export async function runReadVectorsStep(step: StepContext<ReadVectorsOptions>): Promise<ManifestDraft<VectorsInfo>> {
  const { options, inputs, outDir, scratchDir, registry, limits = defaultReadingLimits } = step;
  const { dim, file } = options;
  const graph = stepInput(inputs, "graph");
  const { numNodes } = graphInfo.parse(graph.manifest.info);
  const uploaded = uploadedFilesOf(stepInput(inputs, "files"));
  requireFile(uploaded, file);
  const deadline = new Deadline(limits.ingestSeconds);
  const files = new Uploads(uploaded, { scratchDir, limits, check: (name) => deadline.check(name) });
  const shared = { registry, outDir, scratchDir, limits, deadline, notes: new Set<string>(), onFailure: [] };
  const context: IngestContext = { ...shared, files, progress: new StepProgress(step) };
  const wanted = await vectorColumns(context, options);
  const ids = await indexOf(graph);
  const globalOf = await globalIdsOf(stepInput(inputs, "parts"), numNodes);
  const reading = new VectorReading(options, ids, globalOf, sharedNpy(join(outDir, "vectors.npy"), numNodes, dim));
  for await (const batch of readSection(context, { files: [file] }, wanted, "read vectors")) await reading.add(batch);
  const { known, info } = reading.finish(numNodes);
  await writeNpy(join(outDir, "known.npy"), "int8", [numNodes], known);
  return {
    info,
    blobs: [
      { name: "vectors.npy", dtype: "float32", shape: [numNodes, dim] },
      { name: "known.npy", dtype: "int8", shape: [numNodes] },
    ],
  };
}

function requireFile(uploaded: readonly { readonly name: string }[], file: string): void {
  if (isAmongUploaded(file, uploaded)) return;
  const there = uploaded.map(({ name }) => name).join(", ") || "none";
  const message = `/features/embedding/vectors/file: no file of the dataset is called "${file}"; there are: ${there}. Upload it with the others as a new version.`;
  throw new GnnError("DATASET_FILE_MISSING", message, { place: { file } });
}

async function indexOf(graph: ArtifactDir): Promise<IdIndex> {
  const { numNodes } = graphInfo.parse(graph.manifest.info);
  const ids = new IdIndex();
  const stored = await openNodeIds(graph);
  try {
    for (let first = 0; first < numNodes; first += idsPerRead) {
      const batch = await stored.read(first, Math.min(idsPerRead, numNodes - first));
      for (const id of idTexts(batch)) ids.add(id);
    }
  } finally {
    await stored.close();
  }
  return ids;
}

/** GlobalId by NodeIndex */
async function globalIdsOf({ dir }: ArtifactDir, numNodes: number): Promise<Int32Array> {
  const { values: nodeMap } = await readNpy(join(dir, "node_map.npy"), "int32");
  const globalOf = new Int32Array(numNodes);
  for (const [globalId, node] of nodeMap.entries()) globalOf[node] = globalId;
  return globalOf;
}

class VectorReading {
  readonly #options: ReadVectorsOptions;
  readonly #ids: IdIndex;
  readonly #globalOf: Int32Array;
  /** float32 [nodes, dim] by GlobalId */
  readonly #vectors: Float32Array;
  /** By GlobalId */
  readonly #isSeen: Uint8Array;
  readonly #known: Int8Array;
  readonly #unknown: string[] = [];
  #numUnknown = 0;

  constructor(options: ReadVectorsOptions, ids: IdIndex, globalOf: Int32Array, vectors: Float32Array) {
    this.#options = options;
    this.#ids = ids;
    this.#globalOf = globalOf;
    this.#vectors = vectors;
    this.#isSeen = new Uint8Array(globalOf.length);
    this.#known = new Int8Array(globalOf.length);
  }

  async add(batch: PlacedBatch): Promise<void> {
    const [given, ...values] = batch.columns as [readonly (string | null)[], ...Float64Array[]];
    for (const [row, cell] of given.entries()) {
      const id = idOf(cell);
      const node = id === "" ? -1 : this.#ids.indexOf(id);
      if (node >= 0) await this.#take(batch, row, id, this.#globalOf[node] as number, values);
      else {
        this.#numUnknown += 1;
        if (this.#unknown.length < shownIds) this.#unknown.push(id.slice(0, 100));
      }
    }
  }

  finish(numNodes: number): { readonly known: Int8Array; readonly info: VectorsInfo } {
    const { dim, file, id } = this.#options;
    const numKnown = this.#known.reduce((sum, isKnown) => sum + isKnown, 0);
    if (numKnown === 0) {
      const shown = this.#unknown.map((unknown) => JSON.stringify(unknown)).join(", ") || "none";
      const message = `${file}: no row of column "${id}" names a node of the graph and has a vector; its ids are ${shown} …. Name the column whose ids are those of the dataset.`;
      throw new GnnError("DATASET_NODE_UNKNOWN", message, { place: { file, field: id } });
    }
    const counts = { numKnown, numMissing: numNodes - numKnown, numUnknownIds: this.#numUnknown };
    return { known: this.#known, info: { numNodes, dim, ...counts, unknownIds: this.#unknown } };
  }

  /** An empty vector is none; one that is empty in part is refused. */
  async #take(batch: PlacedBatch, row: number, id: string, node: number, values: readonly Float64Array[]) {
    const { dim, id: field } = this.#options;
    if (this.#isSeen[node]) {
      const message = `the id ${JSON.stringify(id)} is there a second time; every node has one vector.`;
      throw await errorAt("DATASET_DUPLICATE", batch, row, field, message);
    }
    this.#isSeen[node] = 1;
    const isList = values.length === 1 && dim > 1;
    const at = (i: number) => (isList ? values[0]?.[row * dim + i] : values[i]?.[row]) as number;
    const numbers = Float32Array.from({ length: dim }, (_, i) => at(i));
    if (numbers.every(Number.isNaN)) return;
    const bad = numbers.findIndex((value) => !Number.isFinite(value));
    if (bad >= 0) {
      const found = Number.isNaN(at(bad))
        ? "is empty, and others are not"
        : `is ${at(bad)}, which does not fit float32`;
      const message = `number ${bad + 1} of the vector ${found}; fill it in, or leave the whole vector empty.`;
      throw await errorAt("DATASET_VALUE_INVALID", batch, row, field, message);
    }
    this.#vectors.set(numbers, node * dim);
    this.#known[node] = 1;
  }
}
