import { redisKeys } from "@hopwise/contracts";
import { envOrExit } from "./env-or-exit.ts";
import { connectRedis, redisUser } from "./redis.ts";
import { explainRefusal } from "./redis-access.ts";
import { workerFolderOf } from "./worker-folder.ts";
import { workerId } from "./worker-id.ts";

/** Exits 0 when this host's worker is announced, which it renews each second. For containers. */
const { redisUrl, worker } = envOrExit();
const redis = connectRedis(redisUrl, { maxRetriesPerRequest: 1 });
redis.on("error", () => undefined); // the failed read says it
const { isAnnounced, why } = await workerFolderOf(worker.dir)
  .then((dir) => workerId(dir, worker.host, worker.id))
  .then(async (id) => ({ isAnnounced: (await redis.exists(redisKeys.worker(id))) === 1, why: null }))
  .catch((error: unknown) => ({ isAnnounced: false, why: explainRefusal(error, redisUser(redisUrl)) }));
redis.disconnect();
if (why !== null) console.error(why);
process.exitCode = isAnnounced ? 0 : 1;
