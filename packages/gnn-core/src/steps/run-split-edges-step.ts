import { join } from "node:path";
import type { StepContext } from "../components/define-step.ts";
import { edgeSides } from "../edges/edge-sides.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { tellUnknownClasses } from "../export/tell-unknown-classes.ts";
import { classPositions, renumberLabels } from "../graph/renumber-classes.ts";
import { splitCode } from "../graph/split-nodes.ts";
import { edgeRowsFolder } from "../io/ingest/edge-rows-folder.ts";
import { graphInfo } from "../io/ingest/ingest-report.ts";
import type { ArtifactDir, ManifestDraft } from "../io/manifest.ts";
import { type WrittenArray, writeNpy } from "../io/npy.ts";
import { mapNpy } from "../io/npy-map.ts";
import { StepProgress } from "../io/step-progress.ts";
import type { EdgeRowsSection, SplitEdgesInfo } from "../spec/edge-rows-options.ts";
import { readModelInfo } from "../spec/model-info.ts";
import type { OutputScaling } from "../tasks/output-scaling.ts";
import { fitTargetScaling } from "../tasks/target-scaling.ts";
import { stepInput } from "./step-input.ts";

/**
 * The work of `steps/split-edges.step.ts`. The files, a row for each edge in the order of the dataset's:
 *
 *   ends      int32 [edges, 2] of NodeIndex      split     int8 [edges]
 *   labels    int32 [edges], −1 = not known      targets   float32 [edges, targets], NaN = not known
 *   features  float32 [edges, featureDim], with mean 0 and deviation 1 among the training edges
 *
 * Where a model is applied, labels are counted in its classes, and features standardised as its training did.
 *
 * @throws GnnError SPEC_INVALID with the option that leaves a side without edges, or that asks what the graph does not
 * say; TRAIN_NO_LABELS
 */
export async function runSplitEdgesStep(step: StepContext<EdgeRowsSection>): Promise<ManifestDraft<SplitEdgesInfo>> {
  const { inputs, options, outDir } = step;
  const graph = stepInput(inputs, "graph");
  const { numNodes, directed: isDirected, edgeRows } = graphInfo.parse(graph.manifest.info);
  if (!edgeRows) {
    throw refused("target", "the graph was built without labels of its edges; map a column and build it again");
  }
  const progress = new StepProgress(step);
  progress.report("split edges", 0, edgeRows.numRows, "edges");
  const directed = edgeRows.directed ?? isDirected;
  const stored = storedRows(graph);
  const ends = stored.int32("ends.npy");
  const end = (offset: number) => Int32Array.from({ length: edgeRows.numRows }, (_, i) => ends[2 * i + offset]!);
  const given = {
    split: edgeRows.splits ? stored.int8("nodes/split.npy") : null,
    times: edgeRows.hasTimes ? stored.int32("time.npy") : null,
  };
  const { applied } = options;
  const split = applied
    ? (given.split ?? new Int8Array(edgeRows.numRows).fill(splitCode.none))
    : await edgeSides({ src: end(0), dst: end(1) }, numNodes, options.split, given);
  const splits = countsOf(split);
  if (!applied) requireSides(splits, options);
  const classes = applied?.classes ?? edgeRows.classes;
  const own = stored.int32("nodes/labels.npy");
  const labels = renumberLabels(own, classPositions(edgeRows.classes, classes));
  tellUnknownClasses(step, { own: edgeRows.classes, classes, gathered: own, labels });
  const featureDim = options.features ? edgeRows.featureDim : 0;
  const written = writerOf(outDir);
  await written.write("ends.npy", "int32", ends, [edgeRows.numRows, 2]);
  await written.write("split.npy", "int8", split, [edgeRows.numRows]);
  await written.write("labels.npy", "int32", labels, [edgeRows.numRows]);
  const targets = edgeRows.targets.map(({ name }) => name);
  if (targets.length > 0) {
    const shape = [edgeRows.numRows, targets.length];
    await written.write("targets.npy", "float32", stored.float32("nodes/targets.npy"), shape);
  }
  let featureScaling: SplitEdgesInfo["featureScaling"] = null;
  if (featureDim > 0) {
    const rows = featuresOf(graph, stored.int32("stored.npy"), featureDim);
    featureScaling = applied ? scalingOfModel(inputs, featureDim) : fittedScaling(rows, featureDim, split);
    const { mean, scale } = featureScaling;
    const values = rows.map((value, i) => (value - mean[i % featureDim]!) / scale[i % featureDim]!);
    await written.write("features.npy", "float32", values, [edgeRows.numRows, featureDim]);
  }
  const { numRows: numEdges } = edgeRows;
  progress.report("split edges", numEdges, numEdges, "edges");
  const counted = { numNodes, numEdges, directed, classes: [...classes], targets, splits };
  const info = { ...counted, featureDim, featureScaling, options };
  return { info, blobs: written.blobs };
}

function storedRows({ dir }: ArtifactDir) {
  const path = (name: string) => join(dir, edgeRowsFolder, name);
  return {
    int32: (name: string) => mapNpy(path(name), "int32").values,
    int8: (name: string) => mapNpy(path(name), "int8").values,
    float32: (name: string) => mapNpy(path(name), "float32").values,
  };
}

function writerOf(outDir: string) {
  const blobs: WrittenArray[] = [];
  const write = async (
    name: string,
    dtype: "int32" | "int8" | "float32",
    values: Int32Array | Int8Array | Float32Array,
    shape: number[],
  ) => {
    await writeNpy(join(outDir, name), dtype, shape, values as never);
    blobs.push({ name, dtype, shape });
  };
  return { blobs, write };
}

function featuresOf({ dir }: ArtifactDir, edgeIds: Int32Array, dim: number): Float32Array {
  const all = mapNpy(join(dir, "edges/features.npy"), "float32").values;
  const rows = new Float32Array(edgeIds.length * dim);
  for (const [row, edge] of edgeIds.entries()) rows.set(all.subarray(edge * dim, (edge + 1) * dim), row * dim);
  return rows;
}

/** Each column with mean 0 and deviation 1 over the training edges: units do not matter then. */
function fittedScaling(rows: Float32Array, dim: number, split: Int8Array): OutputScaling {
  const training = Int32Array.from(split.keys()).filter((row) => split[row] === splitCode.train);
  const names = Array.from({ length: dim }, (_, column) => String(column));
  return fitTargetScaling({ names, values: rows }, training);
}

/** As it was fitted when the model was trained. @throws GnnError SPEC_INVALID when the model does not say it */
function scalingOfModel(inputs: StepContext["inputs"], dim: number): OutputScaling {
  const { edgeFeatureScaling } = readModelInfo(stepInput(inputs, "model"));
  if (edgeFeatureScaling?.mean.length === dim) return edgeFeatureScaling;
  const found = edgeFeatureScaling
    ? `the model reads ${edgeFeatureScaling.mean.length} features of each edge, and the graph has ${dim}`
    : "an earlier release trained the model without writing down how features of edges were standardised; train it again";
  throw new GnnError("SPEC_INVALID", `/model: ${found}.`, { place: { pointer: "/model" } });
}

function countsOf(split: Int8Array): SplitEdgesInfo["splits"] {
  const counts = { none: 0, train: 0, val: 0, test: 0 };
  const names = Object.keys(splitCode) as (keyof typeof splitCode)[];
  for (const code of split) counts[names.find((name) => splitCode[name] === code)!]++;
  return counts;
}

/** A side that was asked for has edges. */
function requireSides(splits: SplitEdgesInfo["splits"], { split }: EdgeRowsSection): void {
  if (split.type === "given") return;
  for (const side of ["val", "test"] as const) {
    if (split[side] === 0 || splits[side] > 0) continue;
    throw refused(`split/${side}`, `a share of ${split[side]} leaves ${side} without an edge; raise it`);
  }
}

function refused(option: string, found: string): GnnError {
  const pointer = `/task/${option}`;
  return new GnnError("SPEC_INVALID", `${pointer}: ${found}.`, { place: { pointer } });
}
