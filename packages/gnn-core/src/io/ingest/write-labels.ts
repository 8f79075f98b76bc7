import { join } from "node:path";
import { writeLabelSets } from "../label-set-files.ts";
import { type WrittenArray, writeNpy } from "../npy.ts";
import type { GraphInfo } from "./ingest-report.ts";
import type { NodeRows } from "./read-nodes.ts";

type LabelFacts = Pick<GraphInfo, "classes" | "labelCounts" | "multiLabel" | "targets">;

/** What is known of rows, be they of nodes, of graphs or of edges */
export type LabelledRows = Pick<NodeRows, "labels" | "classes" | "labelPairs" | "targetNames" | "targets">;

export interface WrittenLabels extends LabelFacts {
  readonly blobs: readonly WrittenArray[];
  /** One class per node, as written */
  readonly labels: Int32Array;
}

/** Writes what is to be learnt: one class per node (-1 = unlabelled), several labels, numbers. */
export async function writeLabels(
  outDir: string,
  nodes: LabelledRows | null,
  numNodes: number,
): Promise<WrittenLabels> {
  const single = await writeClasses(outDir, nodes, numNodes);
  const several = nodes?.labelPairs?.finish(numNodes);
  const setBlobs = several ? await writeLabelSets(outDir, "nodes", several.sets) : [];
  const targets = await writeTargets(outDir, nodes, numNodes);
  const blobs = [...single.blobs, ...setBlobs, ...targets.blobs];
  if (!several) return { ...single, multiLabel: false, targets: targets.facts, blobs };
  const { classes, counts } = several;
  const labelCounts = classes.map((label, i) => ({ label, count: counts[i]! }));
  return { classes, labelCounts, multiLabel: true, targets: targets.facts, labels: single.labels, blobs };
}

async function writeClasses(outDir: string, nodes: LabelledRows | null, numNodes: number) {
  const labels = new Int32Array(numNodes).fill(-1);
  const { texts: read, finalCodes } = nodes?.classes.finish() ?? { texts: [], finalCodes: new Int32Array() };
  const texts = withoutDecimals(read);
  const counts = texts.map(() => 0);
  nodes?.labels.forEach((code, node) => {
    if (code < 0) return;
    const label = finalCodes[code]!;
    labels[node] = label;
    counts[label] = counts[label]! + 1;
  });
  const name = "nodes/labels.npy";
  await writeNpy(join(outDir, name), "int32", [numNodes], labels);
  const blobs: WrittenArray[] = [{ name, dtype: "int32", shape: [numNodes] }];
  return { classes: texts, labelCounts: texts.map((label, i) => ({ label, count: counts[i]! })), labels, blobs };
}

const wholeNumber = /^(-?\d+)\.0+$/;

/** pandas writes whole numbers as `1.0` where a column has empty cells: such classes are called `1`. */
function withoutDecimals(texts: readonly string[]): string[] {
  if (!texts.every((text) => wholeNumber.test(text))) return [...texts];
  const whole = texts.map((text) => text.replace(wholeNumber, "$1"));
  return new Set(whole).size === whole.length ? whole : [...texts];
}

/** float32 [numNodes, columns]; nodes that only the edges name know none. */
async function writeTargets(outDir: string, nodes: LabelledRows | null, numNodes: number) {
  const names = nodes?.targetNames ?? [];
  if (!nodes || names.length === 0) return { facts: [], blobs: [] };
  const values = new Float32Array(numNodes * names.length).fill(Number.NaN);
  values.set(nodes.targets);
  const name = "nodes/targets.npy";
  const shape = [numNodes, names.length];
  await writeNpy(join(outDir, name), "float32", shape, values);
  const facts = names.map((target, column) => ({ name: target, ...measure(values, column, names.length) }));
  return { facts, blobs: [{ name, dtype: "float32", shape }] satisfies WrittenArray[] };
}

/** Count, mean, population deviation and extremes of the known values of one column */
function measure(values: Float32Array, column: number, width: number) {
  let count = 0;
  let sum = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  const visit = (use: (value: number) => void) => {
    for (let i = column; i < values.length; i += width) if (!Number.isNaN(values[i])) use(values[i]!);
  };
  visit((value) => {
    count = count + 1;
    sum = sum + value;
    min = Math.min(min, value);
    max = Math.max(max, value);
  });
  if (count === 0) return { count, mean: null, deviation: null, min: null, max: null };
  const mean = sum / count;
  let squares = 0;
  visit((value) => {
    squares += (value - mean) ** 2;
  });
  return { count, mean, deviation: Math.sqrt(squares / count), min, max };
}
