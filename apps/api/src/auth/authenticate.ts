import { AppError } from "@hopwise/contracts";
import type { PrismaClient } from "../generated/prisma/client.ts";
import { hashSecret } from "./tokens.ts";
import type { Viewer } from "./viewer.ts";

export interface Credentials {
  /** The `Authorization` header. */
  readonly authorization?: string | undefined;
  /** The session cookie. */
  readonly session?: string | undefined;
}

/**
 * Who asks, by key or else by session; null when neither was sent.
 *
 * @throws AppError AUTH_INVALID when what was sent is unknown, expired or revoked
 */
export async function authenticate(prisma: PrismaClient, credentials: Credentials): Promise<Viewer | null> {
  if (credentials.authorization !== undefined) return byKey(prisma, credentials.authorization);
  if (credentials.session !== undefined) return bySession(prisma, credentials.session);
  return null;
}

async function byKey(prisma: PrismaClient, authorization: string): Promise<Viewer> {
  const secret = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (secret === undefined) {
    throw new AppError("AUTH_INVALID", "The Authorization header is not understood; send `Bearer hw_…`.");
  }
  const key = await prisma.apiKey.findUnique({ where: { hash: hashSecret(secret) }, include: { creator: true } });
  if (!key || key.revokedAt !== null || isPast(key.expiresAt)) {
    throw new AppError("AUTH_INVALID", "This API key is unknown, expired or revoked; ask an admin for another.");
  }
  await touch(prisma, key.id, key.lastUsedAt);
  const { role, projectId, creator } = key;
  return { userId: creator.id, name: creator.name, role, projectId, via: "key" };
}

async function bySession(prisma: PrismaClient, secret: string): Promise<Viewer> {
  const session = await prisma.session.findUnique({ where: { hash: hashSecret(secret) }, include: { user: true } });
  if (!session || isPast(session.expiresAt)) {
    throw new AppError("AUTH_INVALID", "This session has ended; sign in again.");
  }
  const { id, name, role } = session.user;
  return { userId: id, name, role, projectId: null, via: "session" };
}

/** At most one write a minute and key. */
async function touch(prisma: PrismaClient, id: string, lastUsedAt: Date | null): Promise<void> {
  if (lastUsedAt && Date.now() - lastUsedAt.getTime() < 60_000) return;
  await prisma.apiKey.updateMany({ where: { id }, data: { lastUsedAt: new Date() } });
}

function isPast(time: Date | null): boolean {
  return time !== null && time.getTime() <= Date.now();
}
