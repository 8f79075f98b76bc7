import { catalogOf, jobPresets } from "@hopwise/gnn-core/spec";
import type { FastifyInstance } from "fastify";
import { datasetSpecSchema, jobSpecSchema } from "../../jobs/spec-schemas.ts";
import { viewerOf } from "../../plugins/auth.ts";
import { shownWorkerState } from "../../scheduler/worker-directory.ts";
import type { Services } from "../../services.ts";
import { withVisibleRunning } from "../../workers/running-stages.ts";

/** What this installation can do: components with their option schemas, presets, the schemas of the specs. */
export async function catalogRoutes(app: FastifyInstance, { registry, prisma }: Services): Promise<void> {
  const schema = { tags: ["catalog"] };
  app.get("/v1/catalog", { schema }, async () => ({ components: catalogOf(registry), presets: jobPresets }));
  app.get("/v1/schemas/job-spec.json", { schema }, async () => jobSpecSchema(registry));
  app.get("/v1/schemas/dataset-spec.json", { schema }, async () => datasetSpecSchema());
  app.get("/v1/workers", { schema: { tags: ["workers"] } }, async (request) => {
    const found = await prisma.worker.findMany({ orderBy: [{ state: "asc" }, { id: "asc" }], take: 1000 });
    const workers = await withVisibleRunning(prisma, viewerOf(request), found);
    const now = new Date();
    return { items: workers.map((worker) => ({ ...worker, state: shownWorkerState(worker, now) })) };
  });
}
