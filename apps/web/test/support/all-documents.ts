import * as account from "../../src/services/documents/account.ts";
import * as comparedJobs from "../../src/services/documents/compared-jobs.ts";
import * as datasets from "../../src/services/documents/datasets.ts";
import * as imports from "../../src/services/documents/imports.ts";
import * as job from "../../src/services/documents/job.ts";
import * as jobs from "../../src/services/documents/jobs.ts";
import * as models from "../../src/services/documents/models.ts";
import * as newJob from "../../src/services/documents/new-job.ts";
import * as notices from "../../src/services/documents/notices.ts";
import * as projects from "../../src/services/documents/projects.ts";
import * as results from "../../src/services/documents/results.ts";
import * as sweeps from "../../src/services/documents/sweeps.ts";
import * as workers from "../../src/services/documents/workers.ts";

const folders = [
  account,
  comparedJobs,
  datasets,
  imports,
  job,
  jobs,
  models,
  newJob,
  notices,
  projects,
  results,
  sweeps,
  workers,
];

/** Every GraphQL document of the dashboard, by name. */
export const allDocuments = Object.fromEntries(folders.flatMap((documents) => Object.entries(documents)));
