import { GnnError } from "../errors/gnn-error.ts";

/** Data that have not what a task learns. @param option the task's option that says so */
export function unsuitableData(message: string, option = "type"): GnnError {
  const pointer = `/task/${option}`;
  return new GnnError("SPEC_INVALID", `${pointer}: ${message}`, { place: { pointer } });
}
