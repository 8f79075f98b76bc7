import { join } from "node:path";
import { fileURLToPath } from "node:url";
import multipart from "@fastify/multipart";
import { keepPrivate, openArtifactStore } from "@hopwise/artifacts";
import { limits } from "@hopwise/contracts";
import { loadRegistry } from "@hopwise/gnn-core/spec";
import Fastify, { type FastifyInstance, type FastifyPluginAsync, type FastifyServerOptions } from "fastify";
import fp from "fastify-plugin";
import type { Redis } from "ioredis";
import { Integrity } from "./artifacts/integrity.ts";
import { Scrub } from "./artifacts/scrub.ts";
import { Sweep } from "./artifacts/sweep.ts";
import { AccessWatch } from "./auth/access-watch.ts";
import { Doorkeeper } from "./auth/doorkeeper.ts";
import { prepareFirstStart } from "./auth/first-start.ts";
import { type Database, openDatabase } from "./database/open-database.ts";
import type { Env } from "./env.ts";
import { answerBadHttp } from "./errors/answer-bad-http.ts";
import { problemFromRequest } from "./errors/problem-from-request.ts";
import { ChangeWatch } from "./events/change-watch.ts";
import { JobEventSource } from "./events/job-event-source.ts";
import { graphqlPlugin } from "./graphql/graphql-plugin.ts";
import { openImports } from "./imports/import-parts.ts";
import { runImport } from "./imports/run-import.ts";
import { Schedules } from "./imports/schedules/schedules.ts";
import type { LeaderWork } from "./leader/leader-work.ts";
import { NoticeTeller } from "./notices/notice-teller.ts";
import { openWebhooks } from "./notices/webhook-parts.ts";
import { authPlugin } from "./plugins/auth.ts";
import { bodyParsers } from "./plugins/body-parsers.ts";
import { compressionPlugin } from "./plugins/compression.ts";
import { costlyRoutes } from "./plugins/costly-routes.ts";
import { errorsPlugin, sendProblem } from "./plugins/errors.ts";
import { heldAccessPlugin } from "./plugins/held-access.ts";
import { metricsPlugin } from "./plugins/metrics.ts";
import { openapiPlugin } from "./plugins/openapi.ts";
import { securityPlugin } from "./plugins/security.ts";
import { webPlugin } from "./plugins/web.ts";
import { zodValidation } from "./plugins/zod-validation.ts";
import { connectRedis, failFast } from "./redis/redis-connection.ts";
import { FairSlots } from "./requests/fair-slots.ts";
import { Quota } from "./requests/quota.ts";
import { healthRoutes } from "./routes/health.ts";
import { apiKeyRoutes } from "./routes/v1/api-keys.ts";
import { catalogRoutes } from "./routes/v1/catalog.ts";
import { datasetRoutes } from "./routes/v1/datasets.ts";
import { downloadRoutes } from "./routes/v1/downloads.ts";
import { importScheduleRoutesOf } from "./routes/v1/import-schedules.ts";
import { importRoutesOf } from "./routes/v1/imports.ts";
import { jobEventRoutes } from "./routes/v1/jobs/events.ts";
import { jobRoutes } from "./routes/v1/jobs.ts";
import { modelRoutes } from "./routes/v1/models.ts";
import { noticeAndWebhookRoutes } from "./routes/v1/notices.ts";
import { projectRoutes } from "./routes/v1/projects.ts";
import { servingRoutes } from "./routes/v1/serving.ts";
import { sessionRoutes } from "./routes/v1/session.ts";
import { storeRoutes } from "./routes/v1/store.ts";
import { sweepRoutes } from "./routes/v1/sweeps.ts";
import { uploadRoutesOf } from "./routes/v1/uploads.ts";
import { workerRoutes } from "./routes/v1/workers.ts";
import { writeBackRoutesOf } from "./routes/v1/write-backs.ts";
import { Scheduler } from "./scheduler/scheduler.ts";
import type { Services } from "./services.ts";
import { ServeClient } from "./serving/serve-client.ts";
import { Serving } from "./serving/serving.ts";
import { StoreGrants } from "./store/store-grants.ts";
import { Searches } from "./sweeps/search/searches.ts";
import { sweepEnds } from "./sweeps/sweep-end.ts";
import { finishUpload } from "./uploads/finish-upload.ts";
import { openUploads } from "./uploads/upload-parts.ts";
import { runWriteBack } from "./write-backs/run-write-back.ts";
import { openWriter } from "./write-backs/writer.ts";

export interface AppOptions {
  readonly env: Env;
  readonly logger?: FastifyServerOptions["logger"];
  /** Registered before all routes, to watch what they answer. */
  readonly watch?: FastifyPluginAsync;
}

export interface App {
  readonly server: FastifyInstance;
  readonly services: Services;
  /** Made at a first start and shown once to whoever installs the service. */
  readonly signInLink: string | null;
}

/** The whole API without a port: opens the database and the store, elects a scheduler when there is Redis. */
export async function buildApp({ env, logger = false, watch }: AppOptions): Promise<App> {
  const server = Fastify({
    logger,
    bodyLimit: limits.jsonBodyBytes,
    // Ids of requests come from us: a caller's header would end up in logs and jobs.
    requestIdHeader: false,
    // Whose X-Forwarded-For, -Host and -Proto are believed.
    trustProxy: env.server.trustedProxies.length === 0 ? false : [...env.server.trustedProxies],
    clientErrorHandler: answerBadHttp,
    // An address that cannot be decoded reaches no route, and so no error handler of one.
    frameworkErrors: (error, request, reply) => void sendProblem(reply, problemFromRequest(error), request.url),
    ajv: { customOptions: { removeAdditional: false } },
  });
  await keepFoldersPrivate(env);
  const database = await openDatabase({
    url: env.database.url,
    dir: join(env.data.dir, "pglite"),
    cacheDir: env.data.cacheDir,
  });
  server.addHook("onClose", () => database.close());
  try {
    const services = await openServices(server, env, database);
    if (watch) await server.register(fp(watch));
    await registerAll(server, services, env);
    const signInLink = await prepareFirstStart(database.prisma, env.data.secretsDir, env.server.publicUrl);
    await server.ready();
    return { server, services, signInLink };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** What the API keeps is nobody else's to read, not even where an earlier release or a umask left it open. */
async function keepFoldersPrivate({ data, database, artifacts }: Env): Promise<void> {
  await keepPrivate(data.secretsDir);
  if (database.url === undefined) await keepPrivate(join(data.dir, "pglite"));
  if (artifacts.url.startsWith("file:")) await keepPrivate(fileURLToPath(artifacts.url));
}

/** Services, and the imports, uploads and write-backs that work with them in the background. */
async function openServices(server: FastifyInstance, env: Env, database: Database): Promise<Services> {
  const { prisma, kind } = database;
  const schedules = new Schedules(server.log);
  const base = await openBase(server, env, database, schedules);
  const imports = await openImports({
    prisma,
    store: base.store,
    env,
    log: server.log,
    isSoleClient: kind === "pglite",
    run: (...fetch) => runImport(services, ...fetch),
  });
  const parts = { prisma, store: base.store, log: server.log, isSoleClient: kind === "pglite" };
  const uploads = openUploads(parts, (...upload) => finishUpload(services, ...upload));
  const writer = openWriter(parts, (...writing) => runWriteBack(services, ...writing));
  const services: Services = { ...base, imports, uploads, writer };
  server.addHook("preClose", () => imports.importer.stop());
  server.addHook("preClose", () => writer.stop());
  server.addHook("preClose", () => uploads.finisher.stop());
  imports.importer.wake();
  schedules.open(services);
  uploads.finisher.wake();
  writer.wake();
  return services;
}

async function openBase(
  server: FastifyInstance,
  env: Env,
  database: Database,
  schedules: LeaderWork,
): Promise<Omit<Services, "imports" | "uploads" | "writer">> {
  const { prisma, kind } = database;
  const registry = await loadRegistry(env.components);
  const store = await openArtifactStore(env.artifacts.url, env.artifacts);
  const grants = await StoreGrants.open({ prisma, registry, store, log: server.log });
  const integrity = new Integrity({ prisma, store, log: server.log });
  const webhooks = await openWebhooks(prisma, env, server.log);
  const changes = openChanges(server, prisma);
  const serving = openServing(server, env);
  const base = {
    prisma,
    registry,
    store,
    integrity,
    grants,
    serving,
    webhooks,
    changes,
    log: server.log,
    limits: env.limits,
    ...sharesOf(server, prisma, env),
  };
  if (env.redis.url === undefined) {
    server.log.warn("there is no REDIS_URL: jobs will wait until the service is started with one");
    const jobEvents = new JobEventSource({ prisma, subscriber: null });
    const none = { workerUsers: null, workerLogs: null };
    return { ...base, ...none, jobEvents, jobChanged: (jobId) => jobEvents.wake(jobId) };
  }
  const sweep = new Sweep({ prisma, store: base.store, log: server.log, ...env.sweep });
  const scrub = new Scrub({ prisma, integrity, log: server.log, ...env.scrub });
  const { sender, publicUrl } = webhooks;
  const ends = sweepEnds(prisma, registry);
  const notices = new NoticeTeller({ prisma, registry, log: server.log, sender, publicUrl, sweepEnds: ends });
  // It wakes the scheduler that has it go on, which is made with it.
  const jobChanged = (jobId: string) => scheduler.jobChanged(jobId);
  const searches = new Searches({ prisma, registry, jobChanged }, server.log);
  const scheduler: Scheduler = new Scheduler({
    prisma,
    registry,
    redisUrl: env.redis.url,
    log: server.log,
    isSoleClient: kind === "pglite",
    sweep,
    scrub,
    integrity,
    grants,
    notices,
    searches,
    schedules,
  });
  scheduler.start();
  // Before the database closes: hooks run in reverse order.
  server.addHook("preClose", () => scheduler.stop());
  const { events: jobEvents, workerUsers, workerLogs } = scheduler;
  return { ...base, workerUsers, workerLogs, jobEvents, jobChanged: (jobId) => scheduler.jobChanged(jobId) };
}

/** Tells sockets of changes; they are told to end before the service does. */
function openChanges(server: FastifyInstance, prisma: Database["prisma"]): ChangeWatch {
  const changes = new ChangeWatch({ prisma, log: server.log });
  server.addHook("preClose", async () => changes.close());
  return changes;
}

function openServing(server: FastifyInstance, env: Env): Serving {
  const serving = new Serving(new ServeClient({ ...env.serving, seconds: env.limits.requestSeconds }), server.log);
  server.addHook("onClose", async () => serving.close());
  return serving;
}

/** What keeps one key from having everything, and a revoked one from having anything. */
function sharesOf(server: FastifyInstance, prisma: Services["prisma"], env: Env) {
  const { requestsPerMinute, failuresPerMinute, streamsPerKey } = env.limits;
  const { slotsPerKey: perOwner, waitingPerKey: waitingPerOwner, slots: inAll } = limits;
  return {
    doorkeeper: new Doorkeeper({ prisma, requestsPerMinute, failuresPerMinute }),
    access: new AccessWatch({ prisma, log: server.log }),
    slots: new FairSlots({ perOwner, waitingPerOwner, inAll }),
    streams: new Quota("subscriptions and event streams with this key (HOPWISE_STREAMS_PER_KEY)", streamsPerKey),
  };
}

async function registerAll(server: FastifyInstance, services: Services, env: Env): Promise<void> {
  const { prisma } = services;
  await server.register(errorsPlugin);
  await server.register(zodValidation);
  await server.register(bodyParsers);
  const isHttps = env.server.publicUrl.startsWith("https:");
  await server.register(securityPlugin, { isHttps });
  await server.register(compressionPlugin);
  await server.register(authPlugin, {
    doorkeeper: services.doorkeeper,
    grants: services.grants,
    publicUrl: env.server.publicUrl,
    requestsPerMinute: env.limits.requestsPerMinute,
  });
  await server.register(heldAccessPlugin, { access: services.access });
  await server.register(costlyRoutes, { services });
  await server.register(multipart, {
    preservePath: true, // a path in a file name is refused, not silently cut off
    limits: { files: limits.filesPerDataset, fields: 0, fileSize: Number.POSITIVE_INFINITY, headerPairs: 100 },
  });
  await server.register(openapiPlugin);
  await server.register(metricsPlugin, {
    prisma,
    doorkeeper: services.doorkeeper,
    metricsToken: env.server.metricsToken,
  });
  await server.register(healthRoutes, { services, redis: healthRedis(server, env) });
  await server.register(sessionRoutes, { services, env });
  await server.register(datasetRoutes, services);
  await server.register(uploadRoutesOf, services);
  await server.register(importRoutesOf, services);
  await server.register(importScheduleRoutesOf, services);
  await server.register(jobRoutes, services);
  await server.register(jobEventRoutes, services);
  await server.register(modelRoutes, services);
  await server.register(servingRoutes, services);
  await server.register(sweepRoutes, services);
  await server.register(downloadRoutes, services);
  await server.register(writeBackRoutesOf, services);
  await server.register(storeRoutes, services);
  await server.register(catalogRoutes, services);
  await server.register(apiKeyRoutes, services);
  await server.register(workerRoutes, services);
  await server.register(noticeAndWebhookRoutes, services);
  await server.register(projectRoutes, services);
  await server.register(graphqlPlugin, { services });
  await server.register(webPlugin, { webDist: env.server.webDist });
}

/** A connection of its own, so that a blocked one does not make the service look ill. */
function healthRedis(server: FastifyInstance, { redis: { url } }: Env): Redis | null {
  if (url === undefined) return null;
  const redis = connectRedis(url, failFast);
  server.addHook("onClose", async () => redis.disconnect());
  return redis;
}
