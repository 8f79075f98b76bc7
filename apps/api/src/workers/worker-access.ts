import { isLoopback, type WorkerAccessAnswer } from "@hopwise/contracts";
import type { Viewer } from "../auth/viewer.ts";
import type { Services } from "../services.ts";
import { requireAdminOfAll } from "./require-admin-of-all.ts";
import type { WorkerUsers } from "./worker-users.ts";

const ownRedis =
  "For workers elsewhere run a Redis that listens on your network, with a password, and name it in REDIS_URL.";

/** Whether a worker on another host could join, as Redis is set up now, and why not. */
export async function workerAccess(
  { workerUsers }: Pick<Services, "workerUsers">,
  viewer: Viewer,
): Promise<WorkerAccessAnswer> {
  requireAdminOfAll(viewer);
  const reason = obstacleOf(workerUsers);
  if (workerUsers === null || reason !== null) return { possible: false, reason, warning: null };
  return { possible: true, reason: null, warning: (await weaknessOf(workerUsers)) ?? loopbackHint(workerUsers) };
}

function obstacleOf(users: WorkerUsers | null): string | null {
  if (users === null) return `This service runs without Redis, and without one no worker joins. ${ownRedis}`;
  if (!users.isOnThisHostAlone) return null;
  return `This service reaches its Redis by a socket, which no other host does. ${ownRedis}`;
}

/** Why a credential that is made now is of no use elsewhere, or keeps nobody out; null: it is as it should be. */
export async function credentialWarning(users: WorkerUsers): Promise<string | null> {
  return obstacleOf(users) ?? (await weaknessOf(users));
}

async function weaknessOf(users: WorkerUsers): Promise<string | null> {
  if (users.hasKnownPassword)
    return "This service's own password for Redis is the one of docker-compose.yml, which everybody knows: whoever reaches Redis can use it in place of this user's. Set REDIS_PASSWORD before you let other hosts in (docker-compose.redis.yml).";
  if (await users.isOpenToAll().catch(() => false))
    return "This Redis lets anybody in without a password, so the worker's own user keeps nobody apart: give its default user a password (requirepass), and the API that password in REDIS_URL.";
  return null;
}

/** Redis may listen on the network as well: that cannot be seen from here. */
function loopbackHint({ address }: WorkerUsers): string | null {
  if (!isLoopback(address)) return null;
  return `This service reaches its Redis at ${address}, which on any other host means that host itself: make sure that Redis listens on your network too, and give workers its address there.`;
}
