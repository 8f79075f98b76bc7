import { type Registry, type ResolvedTask, untaughtObjection } from "@hopwise/gnn-core/spec";
import { addedColumnsObjection } from "./added-columns-objection.ts";
import { allNodesTaskObjection } from "./all-nodes-task-objection.ts";
import { edgeRowTaskObjection } from "./edge-row-task-objection.ts";
import { edgeTaskObjection } from "./edge-task-objection.ts";
import { graphTaskObjection } from "./graph-task-objection.ts";
import type { JobSpec } from "./job-spec.ts";
import { partitionedObjection } from "./partitioned-objection.ts";
import { rowsAloneObjection } from "./rows-alone-objection.ts";
import type { TaskObjection } from "./task-objection.ts";
import { temporalObjection } from "./temporal-objection.ts";
import { typedModelObjection } from "./typed-model-objection.ts";

/**
 * Which of a job's settings do not go together, whatever the graph: refused, not left aside. The first one; null: all
 * do.
 *
 * @param spec with the options of its components resolved
 */
export function settingsObjection(spec: JobSpec, task: ResolvedTask, registry: Registry): TaskObjection | null {
  const { model, sampling } = spec;
  return (
    temporalObjection(spec, task, sampling, registry) ??
    edgeTaskObjection(spec, task, sampling, registry) ??
    edgeRowTaskObjection(spec, task, sampling, registry) ??
    graphTaskObjection(spec, task, sampling) ??
    allNodesTaskObjection(spec, task, model, sampling, registry) ??
    untaughtObjection(spec, task.component, registry) ??
    rowsAloneObjection(spec, task, model, registry) ??
    addedColumnsObjection(spec, model, sampling, registry) ??
    typedModelObjection(model, sampling, registry) ??
    partitionedObjection(spec, sampling, registry)
  );
}
