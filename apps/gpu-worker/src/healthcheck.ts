import { redisKeys } from "@hopwise/contracts";
import { readEnv } from "./env.ts";
import { connectRedis } from "./redis.ts";
import { workerId } from "./worker-id.ts";

/** Exits 0 when this host's worker is announced, which it renews each second. For containers. */
const { redisUrl, worker } = readEnv();
const redis = connectRedis(redisUrl, { maxRetriesPerRequest: 1 });
redis.on("error", () => undefined); // the failed read says it
const isAnnounced = await workerId(worker.dir, worker.host, worker.id)
  .then((id) => redis.exists(redisKeys.worker(id)))
  .catch(() => 0);
redis.disconnect();
process.exitCode = isAnnounced === 1 ? 0 : 1;
