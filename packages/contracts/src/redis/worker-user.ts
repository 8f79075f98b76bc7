import { workerId } from "../workers/worker-id.ts";
import { redisChannels, redisKeys, rendezvousChannel } from "./keys.ts";

const prefix = "hopwise-worker-";

/** The user of Redis that a worker's credential is for. */
export function workerUserName(id: string): string {
  return prefix + id;
}

/** Whose user this is; null when it is not one of a worker. */
export function workerOfUser(user: string): string | null {
  const id = user.startsWith(prefix) ? user.slice(prefix.length) : "";
  return workerId.safeParse(id).success ? id : null;
}

/**
 * What the worker itself sends. Nothing here lists keys, channels or clients, or tells of keys that others change
 * (CLIENT TRACKING).
 */
const ownCommands =
  "acl|whoami client|setname select ping info subscribe unsubscribe publish multi exec discard eval evalsha " +
  "get mget set del exists append pexpire hget hmget hset sadd srem smembers xadd xinfo|stream";
/** What BullMQ's scripts for a worker's end of a queue call besides. */
const queueCommands =
  "incr pttl hgetall hexists hmset hdel hincrby llen lrange lindex lpush rpush lpop lrem ltrim rpoplpush sismember scard " +
  "zadd zcard zrange zrangebyscore zrevrange zrevrangebyscore zscore zrem zremrangebyrank zremrangebyscore zpopmin bzpopmin xtrim";

/**
 * What the user of one worker may do, as `ACL SETUSER` takes it (Redis 7): its own queue, announcement, leases, events
 * and log; the common answers, each as far as it reads or writes them; a rendezvous by its name, which it must know.
 */
export function workerUserRules(id: string): string[] {
  const own = workerId.parse(id); // a pattern in it would reach other workers' keys
  const keys = [
    `~bull:${redisKeys.workerQueue(own)}:*`,
    `~${redisKeys.worker(own)}`,
    `~hw:lease:${own}:*`,
    `~hw:events:${own}:*`,
    `~hw:log:${own}:*`,
    `~${redisKeys.rendezvous("*")}`,
    `~${redisKeys.workers}`,
    `~${redisKeys.doctor}`,
    `~${redisKeys.doctorAnswers("*")}`,
    `%R~${redisKeys.acked}`,
    `%R~${redisKeys.desired}`,
    `%R~${redisKeys.workerPattern}`,
    `%R~${redisKeys.doctorGrant(own, "*")}`,
  ];
  const { desired, resend, doctor } = redisChannels;
  const channels = [desired, resend, doctor, rendezvousChannel("*")].map((name) => `&${name}`);
  const commands = `${ownCommands} ${queueCommands}`.split(" ").map((name) => `+${name}`);
  return ["resetkeys", ...keys, "resetchannels", ...channels, "-@all", ...commands];
}
