import { join } from "node:path";
import type { StepContext } from "../components/define-step.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { TrainingData } from "../graph/training-data.ts";
import { readNpy } from "../io/npy.ts";
import { linkKit } from "../links/link-kit.ts";
import type { LinkLearning } from "../links/link-task.ts";
import { loadLinks, withKnownLinks } from "../links/links-artifact.ts";
import { parseLinksInfo } from "../spec/links-info.ts";
import { parsePartsInfo } from "../spec/parts-info.ts";
import { resolveTask } from "../spec/resolve-task.ts";
import type { TrainStepOptions } from "../spec/train-options.ts";
import { stepInput } from "./step-input.ts";

/**
 * What a task on edges learns, from the split that the parts were cut by; null for tasks on nodes.
 *
 * @throws GnnError MANIFEST_INVALID when the parts have edges that the split holds out, or the split is missing
 */
export async function linksToLearn(
  { inputs, options, registry }: Pick<StepContext<TrainStepOptions>, "inputs" | "options" | "registry">,
  data: TrainingData,
): Promise<LinkLearning | null> {
  const task = resolveTask(options.task, registry);
  if (task.component.seeds !== "edges") return null;
  const [parts, links] = [stepInput(inputs, "parts"), stepInput(inputs, "links")];
  if (parsePartsInfo(parts).links !== links.manifest.digest) {
    throw new GnnError(
      "MANIFEST_INVALID",
      "The parts were not cut by this split of the links, so held-out links could carry messages; partition again.",
    );
  }
  const nodeMap = (await readNpy(join(parts.dir, "node_map.npy"), "int32")).values;
  const split = await loadLinks(links, data.graph, nodeMap);
  const { seen, directed, groups } = split;
  const objective = await task.component.create(
    task.options,
    { seen, groups, directed, seed: options.train.seed },
    linkKit,
  );
  return { split: objective.ranksAllNodes ? await withKnownLinks(split, links, nodeMap) : split, ...objective };
}

/**
 * Options under which a step hides at most a quarter of the links: they carry no message in it, and with all of them in
 * one step a small graph would have none left. Links that never carry messages need no bound.
 */
export function withMessagesLeft(
  { options, inputs, rank, onEvent }: StepContext<TrainStepOptions>,
  { split: { train } }: LinkLearning,
): TrainStepOptions {
  if (parseLinksInfo(stepInput(inputs, "links")).options.disjoint !== null) return options;
  const most = Math.max(1, Math.ceil(train.src.length / 4));
  const { batchSize } = options.train;
  if (batchSize <= most) return options;
  if (rank.rank === 0) {
    const message = "Steps take fewer links than batchSize says, so that most links carry messages in each";
    onEvent({ type: "log", level: "info", rank: 0, message, fields: { asked: batchSize, linksPerStep: most } });
  }
  return { ...options, train: { ...options.train, batchSize: most } };
}
