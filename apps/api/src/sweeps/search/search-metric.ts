import { AppError } from "@hopwise/contracts";
import type { GraphInfo, ResolvedTask } from "@hopwise/gnn-core/spec";
import type { Judge } from "../sweep-summary.ts";

/**
 * What trials are chosen by: the figure that is asked for; else one that the task's options have counted at a cost,
 * such as ranks among all nodes; else the task's chief figure.
 *
 * @param info of the graph
 * @throws AppError JOB_SPEC_INVALID for a figure that the task has not, does not count so, or not on such a graph
 */
export function searchMetric(
  { component, options }: Pick<ResolvedTask, "component" | "options">,
  asked: string | undefined,
  { classes }: Pick<GraphInfo, "classes">,
): Judge {
  const { metrics, chiefMetric, name } = component;
  const counted = metrics.filter(({ needs = {} }) =>
    Object.entries(needs).every(([option, value]) => options[option] === value),
  );
  const wanted = asked ?? counted.find(({ needs }) => needs !== undefined)?.name ?? chiefMetric;
  const found = counted.find((metric) => metric.name === wanted);
  const pointer = "/auto/metric";
  if (found?.needsLabels && classes.length === 0) {
    const detail = `${pointer}: ${name} is chosen by its ${found.name}, which is counted by classes of nodes, and the graph has none. Choose another task, or submit a job without a search.`;
    throw new AppError("JOB_SPEC_INVALID", detail, { place: { pointer } });
  }
  if (found) return { metric: found.name, direction: found.direction };
  const detail = `${pointer}: ${name} has no figure "${wanted}" with these options; it has ${counted.map((metric) => metric.name).join(", ")}.`;
  throw new AppError("JOB_SPEC_INVALID", detail, { place: { pointer } });
}
