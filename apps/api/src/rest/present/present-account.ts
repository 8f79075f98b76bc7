import type { ApiKeyAnswer, ProjectAnswer, RoleName } from "@hopwise/contracts";
import type { ApiKey, Project } from "../../generated/prisma/client.ts";
import { limitsOf } from "../../projects/project-limits.ts";
import { isoOrNull } from "./times.ts";

/** Everything but the hash. */
export function presentApiKey(key: ApiKey): ApiKeyAnswer {
  const { id, name, prefix, role, projectId, createdBy } = key;
  return {
    id,
    name,
    prefix,
    role: role.toLowerCase() as RoleName,
    projectId,
    createdBy,
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: isoOrNull(key.lastUsedAt),
    expiresAt: isoOrNull(key.expiresAt),
    revokedAt: isoOrNull(key.revokedAt),
  };
}

export function presentProject(project: Project): ProjectAnswer {
  const { id, name, createdBy, createdAt } = project;
  return { id, name, createdBy, createdAt: createdAt.toISOString(), limits: limitsOf(project) };
}
