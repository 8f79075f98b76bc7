import { leaseMs, redisKeys } from "@hopwise/contracts";
import type { Redis } from "ioredis";
import { z } from "zod";

/** Another process that announces itself by this worker's id. */
export interface Rival {
  readonly bootId: string;
  readonly host: string;
  readonly pid: number;
  /** Until its announcement expires */
  readonly leftMs: number;
}

/**
 * Announces unless another boot does, or the one that this worker follows. KEYS: announcement, set of ids. ARGV:
 * announcement, milliseconds, id, boot, boot that it follows. Returns what the other has said and how long that is good
 * for.
 */
const sayScript = `
local said = redis.call("GET", KEYS[1])
if said then
  local isRead, other = pcall(cjson.decode, said)
  local boot = isRead and type(other) == "table" and other["bootId"]
  if boot ~= ARGV[4] and boot ~= ARGV[5] then return { said, redis.call("PTTL", KEYS[1]) } end
end
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
redis.call("SADD", KEYS[2], ARGV[3])
return false`;

/** Deletes the announcement if it is this boot's. KEYS: announcement, set of ids. ARGV: id, boot. */
const clearScript = `
local said = redis.call("GET", KEYS[1])
local isRead, own = pcall(cjson.decode, said or "")
if isRead and type(own) == "table" and own["bootId"] == ARGV[2] then
  redis.call("DEL", KEYS[1])
  redis.call("SREM", KEYS[2], ARGV[1])
end
return false`;

const answer = z.tuple([z.string(), z.number()]).nullable();
const rival = z.object({
  bootId: z.string().catch("unknown"),
  host: z.string().catch("an unknown host"),
  pid: z.number().catch(0),
});

/** The key in Redis under which a worker announces itself: of all processes that have its id only one may. */
export class AnnouncementKey {
  readonly #redis: Redis;
  readonly #id: string;
  readonly #bootId: string;

  constructor(redis: Redis, id: string, bootId: string) {
    this.#redis = redis;
    this.#id = id;
    this.#bootId = bootId;
  }

  /**
   * Announces this worker for the next seconds, unless somebody else has its id.
   *
   * @param follows  an earlier boot that is known to have ended, whose announcement may be replaced
   * @returns who has the id, when it is not this worker
   */
  async say(text: string, follows: string | null = null): Promise<Rival | null> {
    const id = this.#id;
    const bootId = this.#bootId;
    const keys = [redisKeys.worker(id), redisKeys.workers];
    const said = answer.parse(
      await this.#redis.eval(sayScript, keys.length, ...keys, text, leaseMs, id, bootId, follows ?? bootId),
    );
    return said && { ...rival.parse(parsed(said[0])), leftMs: said[1] };
  }

  /** This worker is no more there. */
  async clear(): Promise<void> {
    const keys = [redisKeys.worker(this.#id), redisKeys.workers];
    await this.#redis.eval(clearScript, keys.length, ...keys, this.#id, this.#bootId);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
