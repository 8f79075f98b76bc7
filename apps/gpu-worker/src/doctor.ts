import { askWorkers } from "./doctor/ask-workers.ts";
import { diagnose } from "./doctor/diagnosis.ts";
import { readEnv } from "./env.ts";
import { connectRedis, redisUser } from "./redis.ts";
import { explainRefusal } from "./redis-access.ts";

/**
 * Lets every worker connect with every other, prints what they found, and exits 1 when a job could not share them all.
 */
const { redisUrl } = readEnv();
const redis = connectRedis(redisUrl, { maxRetriesPerRequest: 1 });
redis.on("error", () => undefined); // the failed command says it
try {
  const { lines, isHealthy } = diagnose(await askWorkers(redis));
  console.log(lines.join("\n"));
  process.exitCode = isHealthy ? 0 : 1;
} catch (error) {
  const found = error instanceof Error ? error.message : String(error);
  console.error(explainRefusal(error, redisUser(redisUrl)) ?? `Redis does not answer; set REDIS_URL. ${found}`);
  process.exitCode = 1;
} finally {
  redis.disconnect();
}
