import { apiKeyRoutes } from "./api-keys.ts";
import { artifactRoutes } from "./artifacts.ts";
import { catalogRoutes } from "./catalog.ts";
import { datasetRoutes } from "./datasets.ts";
import { importScheduleRoutes } from "./import-schedules.ts";
import { importRoutes } from "./imports.ts";
import { jobEventRoutes } from "./job-events.ts";
import { jobResultRoutes } from "./job-results.ts";
import { jobRoutes } from "./jobs.ts";
import { modelRoutes } from "./models.ts";
import { noticeRoutes } from "./notices.ts";
import { projectRoutes } from "./projects.ts";
import { queueRoutes } from "./queue.ts";
import { graphqlRoutes, serviceRoutes } from "./service.ts";
import { servingRoutes } from "./serving.ts";
import { sessionRoutes } from "./session.ts";
import { sourceCredentialRoutes } from "./source-credentials.ts";
import { storeRoutes } from "./store.ts";
import { sweepRoutes } from "./sweeps.ts";
import { uploadRoutes } from "./uploads.ts";
import { webhookRoutes } from "./webhooks.ts";
import { workerRoutes } from "./workers.ts";
import { writeBackRoutes } from "./write-backs.ts";

export * from "./api-keys.ts";
export * from "./artifacts.ts";
export * from "./catalog.ts";
export * from "./datasets.ts";
export * from "./estimate.ts";
export * from "./import-schedules.ts";
export * from "./imports.ts";
export * from "./job-events.ts";
export * from "./job-results.ts";
export * from "./jobs.ts";
export * from "./models.ts";
export * from "./notices.ts";
export * from "./projects.ts";
export * from "./queue.ts";
export * from "./route.ts";
export * from "./service.ts";
export * from "./serving.ts";
export * from "./session.ts";
export { idParams, pageQuery } from "./shapes.ts";
export * from "./shown-member.ts";
export * from "./source-credentials.ts";
export * from "./store.ts";
export * from "./sweeps.ts";
export * from "./uploads.ts";
export * from "./webhooks.ts";
export * from "./workers.ts";
export * from "./write-backs.ts";

/** Every route of the REST API by its name, which is its operationId in OpenAPI. */
export const restRoutes = {
  ...serviceRoutes,
  ...sessionRoutes,
  ...projectRoutes,
  ...apiKeyRoutes,
  ...datasetRoutes,
  ...uploadRoutes,
  ...importRoutes,
  ...importScheduleRoutes,
  ...sourceCredentialRoutes,
  ...jobRoutes,
  ...queueRoutes,
  ...jobEventRoutes,
  ...jobResultRoutes,
  ...writeBackRoutes,
  ...modelRoutes,
  ...servingRoutes,
  ...sweepRoutes,
  ...artifactRoutes,
  ...catalogRoutes,
  ...workerRoutes,
  ...noticeRoutes,
  ...webhookRoutes,
  ...storeRoutes,
  ...graphqlRoutes,
};
export type RestRouteName = keyof typeof restRoutes;
