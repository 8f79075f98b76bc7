import { AppError } from "@hopwise/contracts";
import {
  askedTask,
  choosePreset,
  figuresOf,
  GnnError,
  type GraphInfo,
  type PresetProposal,
  type Registry,
  resolveTask,
  taskSection,
} from "@hopwise/gnn-core/spec";

/**
 * The preset for a graph and for what is to be learnt of it.
 *
 * @param task a `task` section of a job spec; left out: what is known of single nodes, else rows for them
 * @throws AppError JOB_SPEC_INVALID with the pointer into the section
 */
export function proposePreset(info: GraphInfo, task: unknown, registry: Registry): PresetProposal {
  const figures = figuresOf(info);
  if (task === undefined || task === null) return choosePreset(figures);
  const section = taskSection.safeParse(task);
  if (!section.success) throw refused("/task", "A task is a section of a job spec, an object with a type and options.");
  try {
    return choosePreset(figures, askedTask(resolveTask(section.data, registry)));
  } catch (error) {
    if (error instanceof GnnError) throw refused(error.place?.pointer ?? "/task", error.message);
    throw error;
  }
}

function refused(pointer: string, message: string): AppError {
  return new AppError("JOB_SPEC_INVALID", message, { place: { pointer } });
}
