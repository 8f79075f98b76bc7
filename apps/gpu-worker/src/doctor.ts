import { askWorkers } from "./doctor/ask-workers.ts";
import { diagnose } from "./doctor/diagnosis.ts";
import { examineHost } from "./doctor/host-examination.ts";
import { envOrExit } from "./env-or-exit.ts";
import { connectRedis, redisUser } from "./redis.ts";
import { explainRefusal } from "./redis-access.ts";

/**
 * Tries the backend of this environment as a worker does when it starts, lets every worker connect with every other,
 * prints what was found, and exits 1 when the backend cannot be used or a job could not share all workers.
 */
const env = envOrExit();
const { redisUrl } = env;
const here = await examineHost(env);
console.log(here.lines.join("\n"));
const redis = connectRedis(redisUrl, { maxRetriesPerRequest: 1 });
redis.on("error", () => undefined); // the failed command says it
try {
  const { lines, isHealthy } = diagnose(await askWorkers(redis));
  console.log(lines.join("\n"));
  process.exitCode = isHealthy && here.isHealthy ? 0 : 1;
} catch (error) {
  const found = error instanceof Error ? error.message : String(error);
  console.error(explainRefusal(error, redisUser(redisUrl)) ?? `Redis does not answer; set REDIS_URL. ${found}`);
  process.exitCode = 1;
} finally {
  redis.disconnect();
}
