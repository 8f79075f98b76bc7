import { join } from "node:path";
import type { StepContext } from "../components/define-step.ts";
import { mapEdgeRows } from "../edges/edge-rows-artifact.ts";
import { type EdgeLearning, edgeTask } from "../edges/edge-task.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { readNpy } from "../io/npy.ts";
import { resolveTask } from "../spec/resolve-task.ts";
import type { TrainStepOptions } from "../spec/train-options.ts";
import { stepInput } from "./step-input.ts";

type Context = Pick<StepContext<Pick<TrainStepOptions, "task">>, "inputs" | "options" | "registry">;

/**
 * What a task on labelled edges learns, by GlobalId; null for all other tasks.
 *
 * @throws GnnError MANIFEST_INVALID when parts and edges are not of one graph; SPEC_INVALID with the pointer of the
 * task's target, TRAIN_NO_LABELS when it cannot be learnt
 */
export async function edgesToLearn({ inputs, options, registry }: Context): Promise<EdgeLearning | null> {
  const task = resolveTask(options.task, registry);
  if (task.component.seeds !== "edgeRows") return null;
  const nodeMap = (await readNpy(join(stepInput(inputs, "parts").dir, "node_map.npy"), "int32")).values;
  const { edges, split, ...known } = mapEdgeRows(stepInput(inputs, "edgeRows"), nodeMap);
  const learning = { ...(await task.component.create(task.options, known)), edges, split };
  requireGoal(learning);
  return learning;
}

/** What is wrong with labels is said of the task's option that names them. */
function requireGoal(learning: EdgeLearning): void {
  try {
    edgeTask(learning);
  } catch (error) {
    if (!(error instanceof GnnError) || error.code !== "SPEC_INVALID") throw error;
    const pointer = "/task/target";
    const found = error.message.replace(`${error.place.pointer}: `, "");
    throw new GnnError("SPEC_INVALID", `${pointer}: ${found}`, { cause: error, place: { pointer } });
  }
}
