import { stageOutputs } from "../../jobs/job-artifacts.ts";
import { ReadTogether } from "./read-together.ts";

/** The `model` artifacts of the jobs of a page. */
export const modelsOfJobs = new ReadTogether(({ services }, jobIds) => stageOutputs(services, jobIds, "model"));
