import { AppError, limits, type NewSourceCredential, sourceCredentialKinds } from "@hopwise/contracts";
import { z } from "zod";
import { notFound, requireRole, type Viewer, visible } from "../auth/viewer.ts";
import { newId } from "../database/ids.ts";
import { isUniqueViolation } from "../database/unique-violation.ts";
import type { SourceCredential } from "../generated/prisma/client.ts";
import { findProjectId } from "../projects/project-service.ts";
import type { Services } from "../services.ts";
import { hostPattern, type SourceSecret, secretObjection } from "./credential-header.ts";

type Parts = Pick<Services, "prisma" | "imports">;

/**
 * Stores a credential for sources, as an admin: whoever may import can have it sent to its hosts, and cannot read it.
 *
 * @throws AppError AUTH_FORBIDDEN, REQUEST_INVALID, REQUEST_CONFLICT when the name is taken or there are too many
 */
export async function createSourceCredential(
  services: Services,
  viewer: Viewer,
  { name, kind, hosts, secret, project }: NewSourceCredential,
): Promise<SourceCredential> {
  requireRole(viewer, "ADMIN");
  const projectId = await findProjectId(services, viewer, project);
  const objection = secretObjection(kind, secret);
  if (objection !== null) throw invalid("/secret", `This is no secret of the kind ${kind}: ${objection}.`);
  const lower = hosts.map((host, i) => checkHost(host, i));
  if (name.trim() === "") throw invalid("/name", "The credential needs a name.");
  const { prisma, imports } = services;
  if ((await prisma.sourceCredential.count({ where: { projectId } })) >= limits.sourceCredentials)
    throw new AppError("REQUEST_CONFLICT", `The project has ${limits.sourceCredentials} already; remove one first.`);
  const id = newId("cred");
  const sealed = imports.sealer.seal(secret, purposeOf(id));
  const data = { id, projectId, name: name.trim(), kind, hosts: lower, sealed, createdBy: viewer.userId };
  try {
    return await prisma.sourceCredential.create({ data });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError("REQUEST_CONFLICT", `The project has a credential "${name.trim()}" already; remove it first.`);
  }
}

/** Without their secrets; by name. */
export async function listSourceCredentials(
  { prisma }: Pick<Services, "prisma">,
  viewer: Viewer,
  project?: string | null,
): Promise<readonly SourceCredential[]> {
  requireRole(viewer, "EDITOR");
  const where = { AND: [visible(viewer), project ? { projectId: project } : {}] };
  return prisma.sourceCredential.findMany({ where, orderBy: { name: "asc" }, take: limits.listLength });
}

/** Imports that name it fetch nothing more with it. */
export async function deleteSourceCredential(
  { prisma }: Pick<Services, "prisma">,
  viewer: Viewer,
  id: string,
): Promise<void> {
  requireRole(viewer, "ADMIN");
  const { count } = await prisma.sourceCredential.deleteMany({ where: { id, ...visible(viewer) } });
  if (count === 0) throw notFound("credential", id);
}

const kinds = z.enum(sourceCredentialKinds);
const hostList = z.array(z.string());

/** How a stored credential is sent, and where it may go. */
export function shapeOf({ kind, hosts }: SourceCredential) {
  return { kind: kinds.parse(kind), hosts: hostList.parse(hosts) };
}

/**
 * A credential to be sent.
 *
 * @throws AppError IMPORT_REFUSED when the project has none of this name, CREDENTIAL_UNREADABLE
 */
export async function openCredential(
  { prisma, imports }: Parts,
  projectId: string,
  name: string,
): Promise<SourceSecret> {
  const found = await prisma.sourceCredential.findUnique({ where: { projectId_name: { projectId, name } } });
  if (!found)
    throw new AppError("IMPORT_REFUSED", `The project has no credential "${name}"; an admin adds it, then ask again.`);
  return { ...shapeOf(found), secret: imports.sealer.open(found.sealed, purposeOf(found.id)) };
}

function purposeOf(id: string): string {
  return `source-credential:${id}`;
}

function checkHost(host: string, i: number): string {
  const lower = host.trim().toLowerCase();
  if (hostPattern.test(lower)) return lower.replace(/:443$/, "");
  throw invalid(
    `/hosts/${i}`,
    `Found "${host.slice(0, 80)}", expected a host like data.example.com, data.example.com:8443 or *.example.com.`,
  );
}

function invalid(pointer: string, message: string): AppError {
  return new AppError("REQUEST_INVALID", message, { place: { pointer } });
}
