import { AppError } from "@hopwise/contracts";
import type { PrismaClient } from "../generated/prisma/client.ts";
import { hashSecret, newSecret } from "./tokens.ts";

/** What browsers are told about the cookie that carries a session. */
export interface SessionCookie {
  readonly name: string;
  readonly options: { httpOnly: true; sameSite: "strict"; secure: boolean; path: "/" };
}

/**
 * No script reads it and no other site's link sends it. By https it has the prefix with which browsers take a cookie
 * from this very host only, so that a sibling domain cannot plant one.
 */
export function sessionCookieOf(publicUrl: string): SessionCookie {
  const secure = publicUrl.startsWith("https:");
  const name = secure ? "__Host-hopwise_session" : "hopwise_session";
  return { name, options: { httpOnly: true, sameSite: "strict", secure, path: "/" } };
}

export const sessionDays = 30;
const linkHours = 24;

/** A one-time sign-in token for the user; earlier unused ones stop working. */
export async function issueSignInToken(prisma: PrismaClient, userId: string): Promise<string> {
  const token = newSecret("hws");
  const expiresAt = new Date(Date.now() + linkHours * 3_600_000);
  await prisma.$transaction([
    prisma.signInLink.deleteMany({ where: { userId, usedAt: null } }),
    prisma.signInLink.create({ data: { hash: hashSecret(token), userId, expiresAt } }),
  ]);
  return token;
}

/**
 * Exchanges a sign-in token for a session; of two who try at once, one wins.
 *
 * @returns the secret for the cookie
 * @throws AppError AUTH_INVALID when the token is unknown, used or expired
 */
export async function openSession(prisma: PrismaClient, token: string): Promise<string> {
  const hash = hashSecret(token);
  const { count } = await prisma.signInLink.updateMany({
    where: { hash, usedAt: null, expiresAt: { gt: new Date() } },
    data: { usedAt: new Date() },
  });
  if (count === 0) {
    throw new AppError(
      "AUTH_INVALID",
      "This sign-in link has been used or has expired. Make a new one with `node apps/api/dist/sign-in-link.js`.",
    );
  }
  const { userId } = await prisma.signInLink.findUniqueOrThrow({ where: { hash } });
  const secret = newSecret("hwc");
  const expiresAt = new Date(Date.now() + sessionDays * 86_400_000);
  await prisma.session.create({ data: { hash: hashSecret(secret), userId, expiresAt } });
  return secret;
}

export async function closeSession(prisma: PrismaClient, secret: string): Promise<void> {
  await prisma.session.deleteMany({ where: { hash: hashSecret(secret) } });
}
