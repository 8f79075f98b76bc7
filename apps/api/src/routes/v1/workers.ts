import { limits, workerRoutes as routes } from "@hopwise/contracts";
import type { FastifyInstance } from "fastify";
import { viewerOf } from "../../plugins/auth.ts";
import { presentWorker, presentWorkerCredential } from "../../rest/present/present-worker.ts";
import { serve } from "../../rest/serve.ts";
import type { Services } from "../../services.ts";
import { drainWorker } from "../../workers/drain-worker.ts";
import { readWorkerLog } from "../../workers/read-worker-log.ts";
import { withVisibleRunning } from "../../workers/running-stages.ts";
import { workerAccess } from "../../workers/worker-access.ts";
import {
  createWorkerCredential,
  listWorkerCredentials,
  revokeWorkerCredential,
} from "../../workers/worker-credentials.ts";
import { readWorkerHistory } from "../../workers/worker-history.ts";

/** The workers, and the credentials that let them into Redis. */
export async function workerRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { prisma } = services;
  const listWorkers = async (request: Parameters<typeof viewerOf>[0]) => {
    const found = await prisma.worker.findMany({ orderBy: [{ state: "asc" }, { id: "asc" }], take: limits.workers });
    const workers = await withVisibleRunning(prisma, viewerOf(request), found);
    const now = new Date();
    return { items: workers.map((worker) => presentWorker(worker, now)) };
  };
  serve(app, routes.listWorkers, listWorkers, { config: { costly: true } });
  serve(
    app,
    routes.readWorkerHistory,
    async (request) => readWorkerHistory(services, request.params.id, request.query),
    { config: { costly: true } },
  );
  serve(
    app,
    routes.readWorkerLog,
    async (request) => readWorkerLog(services, viewerOf(request), request.params.id, request.query),
    { config: { costly: true } },
  );
  serve(app, routes.drainWorker, async (request) => {
    const worker = await drainWorker(services, viewerOf(request), request.params.id, request.body.drained);
    return presentWorker(worker, new Date());
  });
  serve(app, routes.readWorkerAccess, async (request) => workerAccess(services, viewerOf(request)));
  serve(app, routes.listWorkerCredentials, async (request) => ({
    items: (await listWorkerCredentials(services, viewerOf(request))).map(presentWorkerCredential),
  }));
  serve(app, routes.createWorkerCredential, async (request) => {
    const issued = await createWorkerCredential(services, viewerOf(request), request.body.workerId);
    const { credential, password, warning } = issued;
    return { ...presentWorkerCredential(credential), password, warning };
  });
  serve(app, routes.revokeWorkerCredential, async (request) =>
    revokeWorkerCredential(services, viewerOf(request), request.params.id),
  );
}
