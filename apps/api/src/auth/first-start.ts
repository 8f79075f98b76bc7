import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PrismaClient } from "../generated/prisma/client.ts";
import { issueApiKey } from "./api-keys.ts";
import { issueSignInToken } from "./sessions.ts";
import { hashSecret } from "./tokens.ts";

export const defaultProjectId = "default";
export const adminUserId = "admin";

export const signInLinkFile = "sign-in-link";
export const adminKeyFile = "admin-api-key";

/**
 * Makes the default project and the admin when the database is new, and sees to it that local tools find a
 * working admin key in `secretsDir`.
 *
 * @returns the sign-in URL of a first start, else null
 */
export async function prepareFirstStart(
  prisma: PrismaClient,
  secretsDir: string,
  origin: string,
): Promise<string | null> {
  await prisma.project.upsert({
    where: { id: defaultProjectId },
    create: { id: defaultProjectId, name: "default", createdBy: adminUserId },
    update: {},
  });
  const isFirst = (await prisma.user.count()) === 0;
  await prisma.user.upsert({
    where: { id: adminUserId },
    create: { id: adminUserId, name: "admin", role: "ADMIN" },
    update: {},
  });
  await ensureAdminKey(prisma, secretsDir);
  return isFirst ? issueSignInLink(prisma, secretsDir, origin) : null;
}

/** A fresh one-time link for the admin, also written to `<secretsDir>/sign-in-link`. */
export async function issueSignInLink(prisma: PrismaClient, secretsDir: string, origin: string): Promise<string> {
  const token = await issueSignInToken(prisma, adminUserId);
  const url = `${origin}/sign-in?token=${token}`;
  await writeSecret(secretsDir, signInLinkFile, url);
  return url;
}

async function ensureAdminKey(prisma: PrismaClient, secretsDir: string): Promise<void> {
  const stored = await readFile(join(secretsDir, adminKeyFile), "utf8").catch(() => "");
  const known = await prisma.apiKey.findFirst({ where: { hash: hashSecret(stored.trim()), revokedAt: null } });
  if (known) return;
  const { secret } = await issueApiKey(prisma, {
    name: "local tools",
    role: "ADMIN",
    projectId: null,
    createdBy: adminUserId,
    expiresAt: null,
  });
  await writeSecret(secretsDir, adminKeyFile, secret);
}

async function writeSecret(dir: string, name: string, value: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeFile(join(dir, name), `${value}\n`, { mode: 0o600 });
}
