import { z } from "zod";
import { taskOptions } from "../tasks/task-options.ts";

/**
 * The task in the info of `inferred` and `remapped` artifacts; those made before tasks were told apart are
 * classifications.
 */
export const inferredTask = z.object({ task: taskOptions.default(taskOptions.parse({ target: "label" })) });
