import type { FastifyInstance } from "fastify";
import { installedCatalog } from "../../jobs/installed-catalog.ts";
import { viewerOf } from "../../plugins/auth.ts";
import { shownWorkerState } from "../../scheduler/worker-directory.ts";
import type { Services } from "../../services.ts";
import { withVisibleRunning } from "../../workers/running-stages.ts";

/** What this installation can do: components with their option schemas, presets, the schemas of the specs. */
export async function catalogRoutes(app: FastifyInstance, { registry, prisma }: Services): Promise<void> {
  const schema = { tags: ["catalog"] };
  const { pages } = installedCatalog(registry);
  for (const [url, page] of [
    ["/v1/catalog", pages.catalog],
    ["/v1/schemas/job-spec.json", pages.jobSpec],
    ["/v1/schemas/dataset-spec.json", pages.datasetSpec],
  ] as const) {
    app.get(url, { schema }, async (request, reply) => {
      reply.headers({ etag: page.etag, "cache-control": "private, no-cache" });
      if (request.headers["if-none-match"]?.includes(page.etag)) return reply.code(304).send();
      return reply.type("application/json; charset=utf-8").send(page.bytes);
    });
  }
  app.get("/v1/workers", { config: { costly: true }, schema: { tags: ["workers"] } }, async (request) => {
    const found = await prisma.worker.findMany({ orderBy: [{ state: "asc" }, { id: "asc" }], take: 1000 });
    const workers = await withVisibleRunning(prisma, viewerOf(request), found);
    const now = new Date();
    return { items: workers.map((worker) => ({ ...worker, state: shownWorkerState(worker, now) })) };
  });
}
