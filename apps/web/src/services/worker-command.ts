export interface WorkerAccess {
  /** User of Redis, with his password */
  readonly user: string;
  readonly password: string;
}

/**
 * What starts a worker on another host, as far as this page can know: where Hopwise is, going by the page's own
 * address.
 */
export function workerCommand({ user, password }: WorkerAccess, page: Pick<Location, "hostname" | "origin">): string {
  // Through a tunnel, or on the same machine, the page's address says nothing to another host.
  const isLocal = /^(localhost|127\..*|\[::1\])$/.test(page.hostname);
  const redis = isLocal ? "HOPWISE_HOST" : page.hostname;
  const api = isLocal ? page.origin.replace(page.hostname, "HOPWISE_HOST") : page.origin;
  return [
    `REDIS_URL=redis://${user}:${password}@${redis}:6379 \\`,
    `ARTIFACTS_URL=${api} HOPWISE_RANK_ADDRESS=eth0 \\`,
    "  docker compose -f docker-compose.worker.yml up --build",
  ].join("\n");
}
