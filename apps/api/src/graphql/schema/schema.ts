import "../types/scalars.ts";
import "../types/account.ts";
import "../types/api-key.ts";
import "../types/catalog.ts";
import "../types/dataset.ts";
import "../types/estimate.ts";
import "../types/import.ts";
import "../types/upload.ts";
import "../types/source-credential.ts";
import "../types/job.ts";
import "../types/job-parts.ts";
import "../types/job-run.ts";
import "../types/new-neighbors.ts";
import "../types/notice.ts";
import "../types/project-use.ts";
import "../types/registered-model.ts";
import "../types/relation-figures.ts";
import "../types/results.ts";
import "../types/serving.ts";
import "../types/sweep.ts";
import "../types/worker.ts";
import "../types/worker-credential.ts";
import "./subscriptions.ts";
import { builder } from "../base/builder.ts";
import { paced } from "../base/paced.ts";
import { requireSoundOperations } from "../base/require-sound-operations.ts";

/** The executable schema; its printed form is `apps/api/schema.graphql`. */
export const schema = paced(requireSoundOperations(builder.toSchema()));
