import { timingSafeEqual } from "node:crypto";
import { AppError, serviceRoutes } from "@hopwise/contracts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { collectDefaultMetrics, Gauge, Histogram, Registry, Summary } from "prom-client";
import type { Doorkeeper } from "../auth/doorkeeper.ts";
import { requireRole } from "../auth/viewer.ts";
import type { PrismaClient } from "../generated/prisma/client.ts";
import { serve } from "../rest/serve.ts";
import { authenticateRequest, authRequired } from "./auth.ts";

interface MetricsOptions {
  readonly prisma: PrismaClient;
  readonly doorkeeper: Doorkeeper;
  /** Left out: an admin's key is needed. */
  readonly metricsToken: string | undefined;
}

/** Prometheus text at /metrics. Labels never name a job, a dataset or a user. */
export const metricsPlugin = fp(async (app: FastifyInstance, { prisma, doorkeeper, metricsToken }: MetricsOptions) => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: "hopwise_http_request_seconds",
    help: "Time to answer a request",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  const served = new Summary({
    name: "hopwise_serving_seconds",
    help: "Time to answer a single question about stored rows, over the last ten minutes",
    labelNames: ["question"],
    percentiles: [0.5, 0.99],
    maxAgeSeconds: 600,
    ageBuckets: 10,
    registers: [registry],
  });
  const jobs = new Gauge({
    name: "hopwise_jobs",
    help: "Jobs by state",
    labelNames: ["state"],
    registers: [],
    async collect() {
      const states = await prisma.job.groupBy({ by: ["state"], _count: true });
      this.reset();
      for (const { state, _count } of states) this.set({ state }, _count);
    },
  });
  registry.registerMetric(jobs);
  app.addHook("onResponse", async (request, reply) => {
    const labels = { method: request.method, route: request.routeOptions.url ?? "none", status: reply.statusCode };
    duration.observe(labels, reply.elapsedTime / 1000);
    const question = /^\/v1\/(?:jobs|models)\/:id\/(neighbors|predict|explain)$/.exec(labels.route)?.[1];
    if (question && reply.statusCode === 200) served.observe({ question }, reply.elapsedTime / 1000);
  });
  const read = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!hasToken(request, metricsToken)) {
      const viewer = await authenticateRequest(doorkeeper, request);
      if (!viewer) throw authRequired();
      requireRole(viewer, "ADMIN");
      if (viewer.projectId !== null) throw new AppError("AUTH_FORBIDDEN", "A key of one project cannot read metrics.");
    }
    return reply.type(registry.contentType).send(await registry.metrics());
  };
  // Whoever has the token needs no key: the handler asks for one of them.
  serve(app, serviceRoutes.readMetrics, read, { config: { access: "open", perAddress: null } });
});

function hasToken(request: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) return false;
  const expected = Buffer.from(`Bearer ${token}`);
  const found = Buffer.from(request.headers.authorization ?? "");
  return found.length === expected.length && timingSafeEqual(found, expected);
}
