import { leaseMs, redisKeys, renewMs, type StageKey } from "@hopwise/contracts";
import type { Redis } from "ioredis";
import type { Logger } from "../log.ts";
import { periodically } from "../periodic.ts";

/** Sets the lease unless someone else holds it. KEYS: lease. ARGV: owner, milliseconds. Returns the holder. */
const renewScript = `
local holder = redis.call("GET", KEYS[1])
if holder and holder ~= ARGV[1] then return holder end
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
return ARGV[1]`;

/** Deletes the lease if it is ours. KEYS: lease. ARGV: owner. */
const releaseScript = `if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end return 0`;

export interface Lease {
  /** Stops renewing and leaves the key to expire, so that the next stage of the attempt finds the job alive. */
  stop(): Promise<void>;
  /** Gives the lease back at once: the job may start elsewhere. */
  release(): Promise<void>;
}

/**
 * Renews the lease of what this worker runs of an attempt each second while a stage runs, and at once when Redis is
 * back.
 *
 * @param onTaken another process with this worker's name holds the lease of this attempt: this one must stop
 */
export function holdLease(
  redis: Redis,
  key: StageKey,
  { workerId, bootId }: { readonly workerId: string; readonly bootId: string },
  log: Logger,
  onTaken: (holder: string) => void,
): Lease {
  const name = redisKeys.lease(workerId, key.jobId, key.attempt, key.slice);
  const owner = `${workerId}/${bootId}`;
  const renew = async () => {
    const holder = await redis.eval(renewScript, 1, name, owner, leaseMs);
    if (holder !== owner) onTaken(String(holder));
  };
  const onError = (err: unknown) => log.debug({ err }, "lease cannot be renewed now");
  const onReady = () => void renew().catch(onError);
  redis.on("ready", onReady);
  const stopRenewing = periodically(renewMs, renew, onError);

  const stop = async () => {
    redis.off("ready", onReady);
    await stopRenewing();
  };
  return {
    stop,
    release: async () => {
      await stop();
      await redis.eval(releaseScript, 1, name, owner).catch(onError);
    },
  };
}
