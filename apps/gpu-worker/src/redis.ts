import { Redis, type RedisOptions } from "ioredis";

export type ConnectionBehaviour = Pick<
  RedisOptions,
  "maxRetriesPerRequest" | "enableOfflineQueue" | "autoResendUnfulfilledCommands"
>;

/**
 * Connects to `redis://…`, `rediss://…`, `unix:///path` or `unix://user:password@localhost/path`; reconnects for ever,
 * quickly.
 */
export function connectRedis(url: string, behaviour: ConnectionBehaviour = {}): Redis {
  const common = {
    retryStrategy: (times: number) => Math.min(100 * times, 1000),
    // A worker's own user has no use for CLIENT SETINFO.
    disableClientInfo: true,
    ...behaviour,
  };
  if (!url.startsWith("unix://")) return new Redis(url, common);
  if (url.startsWith("unix:///")) return new Redis({ ...common, path: url.slice("unix://".length) });
  const { username, password, pathname } = new URL(url);
  const [user, secret, path] = [username, password, pathname].map(decodeURIComponent) as [string, string, string];
  return new Redis({ ...common, username: user, password: secret, path });
}

/** Commands fail at once while the server is away: for callers that try again on their own. */
export const failFast: ConnectionBehaviour = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
};

/** Resolves when Redis has answered and let this connection in, however long that takes. */
export function connected(redis: Redis): Promise<void> {
  return redis.status === "ready"
    ? Promise.resolve()
    : new Promise((resolve) => void redis.once("ready", () => resolve()));
}

/** Whom Redis knows the bearer of this address as. */
export function redisUser(url: string): string {
  const { username } = new URL(url);
  return username === "" ? "default" : decodeURIComponent(username);
}
