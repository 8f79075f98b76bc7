import { AppError, limits, workerId as workerIdSchema, workerUserName } from "@hopwise/contracts";
import { hashSecret, newSecret } from "../auth/tokens.ts";
import { notFound, type Viewer } from "../auth/viewer.ts";
import type { WorkerCredential } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { requireAdminOfAll } from "./require-admin-of-all.ts";
import { credentialWarning } from "./worker-access.ts";
import type { WorkerUsers } from "./worker-users.ts";

export interface IssuedWorkerCredential {
  readonly credential: WorkerCredential;
  /** Shown once, never stored. */
  readonly password: string;
  /** Why the credential is of no use, or keeps nobody out, as Redis is set up now. */
  readonly warning: string | null;
}

type Needed = Pick<Services, "prisma" | "workerUsers">;

/**
 * A user of Redis for one worker, with a new password: an earlier one of the same worker is good no more.
 *
 * @throws AppError REQUEST_INVALID, AUTH_FORBIDDEN, REDIS_REFUSED, UPSTREAM_UNAVAILABLE; then nothing has changed
 */
export async function createWorkerCredential(
  services: Needed,
  viewer: Viewer,
  id: string,
): Promise<IssuedWorkerCredential> {
  requireAdminOfAll(viewer);
  const workerId = checkedId(id);
  const users = usersOf(services);
  const { workerCredential } = services.prisma;
  const password = newSecret("hww");
  const row = { passwordHash: hashSecret(password), createdAt: new Date() };
  const before = await workerCredential.findUnique({ where: { workerId } });
  const credential = await workerCredential.upsert({ where: { workerId }, create: { workerId, ...row }, update: row });
  try {
    await users.admit(workerId, row.passwordHash);
  } catch (error) {
    const where = { workerId, passwordHash: row.passwordHash };
    await (before ? workerCredential.updateMany({ where, data: before }) : workerCredential.deleteMany({ where }));
    throw error;
  }
  return { credential, password, warning: await credentialWarning(users) };
}

export async function listWorkerCredentials(
  { prisma }: Pick<Services, "prisma">,
  viewer: Viewer,
): Promise<readonly WorkerCredential[]> {
  requireAdminOfAll(viewer);
  return prisma.workerCredential.findMany({ orderBy: { workerId: "asc" }, take: limits.listLength });
}

/**
 * The worker is put out of Redis at once, and let in no more.
 *
 * @throws AppError REQUEST_NOT_FOUND, AUTH_FORBIDDEN, REDIS_REFUSED, UPSTREAM_UNAVAILABLE; then nothing has changed
 */
export async function revokeWorkerCredential(services: Needed, viewer: Viewer, workerId: string): Promise<void> {
  requireAdminOfAll(viewer);
  const users = usersOf(services);
  const { workerCredential } = services.prisma;
  const credential = await workerCredential.findUnique({ where: { workerId } });
  if (credential === null) throw notFound("credential of a worker", workerId);
  await workerCredential.deleteMany({ where: { workerId } });
  try {
    await users.expel(workerId);
  } catch (error) {
    await workerCredential.createMany({ data: [credential], skipDuplicates: true });
    throw error;
  }
}

/** What others see of a credential. */
export function shownCredential({ workerId, createdAt }: WorkerCredential) {
  return { workerId, user: workerUserName(workerId), createdAt };
}

function checkedId(id: string): string {
  const parsed = workerIdSchema.safeParse(id);
  if (parsed.success) return parsed.data;
  const detail = `This cannot be the id of a worker: ${parsed.error.issues[0]?.message}; found ${JSON.stringify(id.slice(0, 80))}.`;
  throw new AppError("REQUEST_INVALID", detail, { place: { pointer: "/workerId" } });
}

function usersOf({ workerUsers }: Needed): WorkerUsers {
  if (workerUsers) return workerUsers;
  throw new AppError("UPSTREAM_UNAVAILABLE", "This service runs without Redis; start it with a REDIS_URL.");
}
