import { dirname, join } from "node:path";
import { ArtifactCache, keepPrivate, lockFolder, openArtifactStore } from "@hopwise/artifacts";
import { setSearchThreads } from "@hopwise/gnn-core/serving";
import { loadRegistry } from "@hopwise/gnn-core/spec";
import closeWithGrace from "close-with-grace";
import { envOrExit } from "./env-or-exit.ts";
import { createLogger } from "./log.ts";
import { serveOnSocket } from "./serve/serve-socket.ts";
import { WarmRows } from "./serve/warm-rows.ts";

/**
 * The worker's role `serve`: a process beside the API that keeps the rows of jobs ready and answers single questions
 * about them. It has neither Redis nor the database; the API tells it with each question which files hold the answer.
 */
process.umask(0o077);
const env = envOrExit();
const { dir, socket, bytes, threads } = env.serve;
await keepPrivate(dir);
await keepPrivate(dirname(socket));
await lockFolder(join(dir, "serve.lock")); // until this process ends
const log = createLogger(env.log.level, "serve");
setSearchThreads(threads);
const warm = new WarmRows({
  store: await openArtifactStore(env.artifactsUrl, { minFreeBytes: env.minFreeBytes }),
  cache: await ArtifactCache.open({ dir: join(dir, "cache"), maxBytes: env.worker.cacheBytes }),
  registry: await loadRegistry(env.engine.components),
  maxBytes: bytes,
  threads,
});
const server = await serveOnSocket(socket, warm, log);
log.info({ socket, threads }, "serving process is ready");

closeWithGrace({ delay: 5000, logger: false }, async ({ signal, err }) => {
  if (err) log.fatal({ err }, "the serving process ends by an error");
  log.info({ signal }, "the serving process stops");
  server.close();
  server.closeIdleConnections();
});
