import { catalogRoutes as routes } from "@hopwise/contracts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { installedCatalog, type JsonPage } from "../../jobs/installed-catalog.ts";
import { serve } from "../../rest/serve.ts";
import type { Services } from "../../services.ts";

/** What this installation can do: components with their option schemas, presets, the schemas of the specs. */
export async function catalogRoutes(app: FastifyInstance, { registry }: Services): Promise<void> {
  const { pages } = installedCatalog(registry);
  serve(app, routes.readCatalog, sends(pages.catalog));
  serve(app, routes.readJobSpecSchema, sends(pages.jobSpec));
  serve(app, routes.readInferSpecSchema, sends(pages.inferSpec));
  serve(app, routes.readDatasetSpecSchema, sends(pages.datasetSpec));
}

function sends(page: JsonPage) {
  return async ({ headers }: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ etag: page.etag, "cache-control": "private, no-cache" });
    if (headers["if-none-match"]?.includes(page.etag)) return reply.code(304).send();
    return reply.type("application/json; charset=utf-8").send(page.bytes);
  };
}
