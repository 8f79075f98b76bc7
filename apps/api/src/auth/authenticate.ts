import { AppError } from "@hopwise/contracts";
import type { ApiKey, PrismaClient, Session, User } from "../generated/prisma/client.ts";
import { hashSecret } from "./tokens.ts";
import { lowerRole, type Viewer } from "./viewer.ts";

export interface Credentials {
  /** The `Authorization` header. */
  readonly authorization?: string | undefined;
  /** The session cookie. */
  readonly session?: string | undefined;
}

/** Which key or session was sent, by what is stored of it; whether it is good is another question. */
export interface Credential {
  readonly via: "key" | "session";
  readonly hash: string;
}

/**
 * The key or else the session that was sent; null when neither was.
 *
 * @throws AppError AUTH_INVALID when the header is no bearer's
 */
export function credentialOf({ authorization, session }: Credentials): Credential | null {
  if (authorization !== undefined) {
    const secret = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (secret !== undefined) return { via: "key", hash: hashSecret(secret) };
    throw new AppError("AUTH_INVALID", "The Authorization header is not understood; send `Bearer hw_…`.");
  }
  return session === undefined ? null : { via: "session", hash: hashSecret(session) };
}

/** @throws AppError AUTH_INVALID when it is unknown, expired or revoked */
export async function authenticateCredential(prisma: PrismaClient, { via, hash }: Credential): Promise<Viewer> {
  if (via === "session") {
    const session = await prisma.session.findUnique({ where: { hash }, include: { user: true } });
    return (session && viewerOfSession(session)) ?? refuse(via);
  }
  const key = await prisma.apiKey.findUnique({ where: { hash }, include: { creator: true } });
  const viewer = key && viewerOfKey(key);
  if (!viewer) refuse(via);
  await touch(prisma, key.id, key.lastUsedAt);
  return viewer;
}

/** Who stands behind each of these now, by hash; those that are unknown, expired or revoked are left out. */
export async function viewersOf(
  prisma: PrismaClient,
  credentials: readonly Credential[],
): Promise<ReadonlyMap<string, Viewer>> {
  const hashes = (wanted: Credential["via"]) => credentials.filter(({ via }) => via === wanted).map(({ hash }) => hash);
  const ofKeys = hashes("key");
  const ofSessions = hashes("session");
  const [keys, sessions] = await Promise.all([
    ofKeys.length === 0 ? [] : prisma.apiKey.findMany({ where: { hash: { in: ofKeys } }, include: { creator: true } }),
    ofSessions.length === 0
      ? []
      : prisma.session.findMany({ where: { hash: { in: ofSessions } }, include: { user: true } }),
  ]);
  const found = [
    ...keys.map((key) => [key.hash, viewerOfKey(key)] as const),
    ...sessions.map((session) => [session.hash, viewerOfSession(session)] as const),
  ];
  return new Map(found.flatMap(([hash, viewer]) => (viewer ? [[hash, viewer]] : [])));
}

/** A key is never worth more than whoever made it. */
function viewerOfKey({ creator, role, projectId, revokedAt, expiresAt }: ApiKey & { creator: User }): Viewer | null {
  if (revokedAt !== null || isPast(expiresAt)) return null;
  return { userId: creator.id, name: creator.name, role: lowerRole(role, creator.role), projectId, via: "key" };
}

function viewerOfSession({ user: { id, name, role }, expiresAt }: Session & { user: User }): Viewer | null {
  return isPast(expiresAt) ? null : { userId: id, name, role, projectId: null, via: "session" };
}

function refuse(via: Credential["via"]): never {
  const detail = {
    key: "This API key is unknown, expired or revoked; ask an admin for another.",
    session: "This session has ended; sign in again.",
  };
  throw new AppError("AUTH_INVALID", detail[via]);
}

/** At most one write a minute and key. That it cannot be noted, as on a full disk, is no reason to let nobody in. */
async function touch(prisma: PrismaClient, id: string, lastUsedAt: Date | null): Promise<void> {
  if (lastUsedAt && Math.abs(Date.now() - lastUsedAt.getTime()) < 60_000) return; // one ahead: the clock was set back
  await prisma.apiKey.updateMany({ where: { id }, data: { lastUsedAt: new Date() } }).catch(() => {});
}

function isPast(time: Date | null): boolean {
  return time !== null && time.getTime() <= Date.now();
}
