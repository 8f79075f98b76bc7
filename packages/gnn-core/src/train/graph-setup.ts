import { createHash } from "node:crypto";
import { GnnError } from "../errors/gnn-error.ts";
import { type GraphHead, makeGraphHead } from "../whole-graphs/graph-head.ts";
import { type GraphHeadChoice, type GraphLearning, graphTask } from "../whole-graphs/graph-task.ts";
import type { LearntGraphs } from "./graph-epoch.ts";
import type { ResolvedSetup } from "./trainer-setup.ts";

/**
 * The task on the graphs, and what follows the encoder.
 *
 * @throws GnnError SPEC_INVALID with the pointer of what does not go with whole graphs; TRAIN_NO_LABELS
 */
export function headOfGraphs(graphs: GraphLearning, seed: number): Pick<LearntGraphs, "task" | "head"> {
  const task = graphTask(graphs);
  return { task, head: graphHeadOf(graphs, { outDim: task.outDim, seed }) };
}

/** @throws GnnError SPEC_INVALID with the pointer of what cannot be */
export function graphHeadOf(
  { dim, readout, activation = "relu", hiddenFeats = dim, dropout = 0 }: GraphHeadChoice,
  { outDim, seed }: { readonly outDim: number; readonly seed: number },
): GraphHead {
  const readouts = typeof readout === "function" ? [readout] : readout;
  if (readouts.length === 0) throw refused("/graphs/readout", "there is none; expected at least one");
  if (!(dropout >= 0 && dropout < 1)) {
    throw refused("/graphs/dropout", `it is ${dropout}; expected at least 0 and less than 1`);
  }
  return makeGraphHead({ readouts, dim, outDim, seed, activation, hiddenFeats, dropout });
}

/** @throws GnnError SPEC_INVALID with the pointer of what does not go with whole graphs */
export function refuseBesideGraphs({ data, options, start, sampler }: ResolvedSetup, graphs: GraphLearning) {
  if (data.graph !== graphs.set.graph) {
    throw refused("/graphs/set", "it is of another graph than the data's; pass set.graph as the data's graph");
  }
  if (sampler) throw refused("/sampler", "batches are whole graphs and nothing is drawn; leave it out");
  if (start) throw refused("/start", "a training on whole graphs begins with new weights; leave it out");
  const { structural } = options.features;
  if (structural && structural.method !== "degree") {
    const found = `columns of ${structural.method} are made for one graph; choose the method degree`;
    throw refused("/features/structural/method", found);
  }
  if (options.features.embedding) {
    throw refused("/features/embedding", "a node of a new graph has no learned row; give nodes features");
  }
  if (options.train.evaluate.mode === "sampled") {
    throw refused("/train/evaluate/mode", "graphs are judged exactly, which sampled is not; choose layerwise");
  }
}

/** Names what is learnt, so that a checkpoint of other graphs, or for another readout, is refused. */
export function graphDigest({ set, split, goal, ...rest }: GraphLearning): string {
  const { dim, activation, hiddenFeats, dropout, readout } = rest;
  const names = (typeof readout === "function" ? [readout] : readout).map(({ name }) => name);
  const known = goal.type === "classification" ? goal.labels : goal.targets.values;
  return createHash("sha256")
    .update(JSON.stringify([goal.type, dim, names, activation, hiddenFeats, dropout]))
    .update(set.offsets)
    .update(split)
    .update(known)
    .digest("hex");
}

function refused(pointer: string, found: string): GnnError {
  return new GnnError("SPEC_INVALID", `${pointer}: ${found}.`, { place: { pointer } });
}
