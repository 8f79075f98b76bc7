import { AppError, limits } from "@hopwise/contracts";
import { newId } from "../database/ids.ts";
import type { ApiKey, PrismaClient, Role } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { hashSecret, newSecret } from "./tokens.ts";
import { notFound, requireRole, type Viewer, visible } from "./viewer.ts";

export interface ApiKeyRequest {
  readonly name: string;
  readonly role: Role;
  readonly project?: string | null | undefined;
  readonly expiresInDays?: number | null | undefined;
}

export interface IssuedApiKey {
  readonly key: ApiKey;
  /** Shown once, never stored. */
  readonly secret: string;
}

/** A new key, as an admin. An admin bound to a project can only make keys of that project. */
export async function createApiKey(
  { prisma }: Pick<Services, "prisma">,
  viewer: Viewer,
  { name, role, project, expiresInDays }: ApiKeyRequest,
): Promise<IssuedApiKey> {
  requireRole(viewer, "ADMIN");
  const projectId = viewer.projectId ?? project ?? null;
  if (project && project !== projectId) throw notFound("project", project);
  if (projectId !== null && !(await prisma.project.findUnique({ where: { id: projectId } }))) {
    throw notFound("project", projectId);
  }
  if (name.trim() === "")
    throw new AppError("REQUEST_INVALID", "The key needs a name.", { place: { pointer: "/name" } });
  const expiresAt = expiresInDays ? new Date(Date.now() + expiresInDays * 86_400_000) : null;
  return issueApiKey(prisma, { name, role, projectId, createdBy: viewer.userId, expiresAt });
}

interface NewKey {
  readonly name: string;
  readonly role: Role;
  readonly projectId: string | null;
  readonly createdBy: string;
  readonly expiresAt: Date | null;
}

export async function issueApiKey(prisma: PrismaClient, draft: NewKey): Promise<IssuedApiKey> {
  const secret = newSecret("hw");
  const key = await prisma.apiKey.create({
    data: { id: newId("key"), ...draft, prefix: secret.slice(0, 8), hash: hashSecret(secret) },
  });
  return { key, secret };
}

export async function listApiKeys({ prisma }: Services, viewer: Viewer): Promise<readonly ApiKey[]> {
  requireRole(viewer, "ADMIN");
  const where = { ...visible(viewer), revokedAt: null };
  return prisma.apiKey.findMany({ where, orderBy: { createdAt: "desc" }, take: limits.listLength });
}

/** The key stops working at once here, and within a second in other processes. */
export async function revokeApiKey({ prisma, doorkeeper }: Services, viewer: Viewer, id: string): Promise<void> {
  requireRole(viewer, "ADMIN");
  const where = { id, revokedAt: null, ...visible(viewer) };
  const { count } = await prisma.apiKey.updateMany({ where, data: { revokedAt: new Date() } });
  if (count === 0) throw notFound("API key", id);
  doorkeeper.forgetRecent();
}
