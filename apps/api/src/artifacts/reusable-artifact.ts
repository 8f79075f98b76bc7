import type { Artifact } from "../generated/prisma/client.ts";
import type { Tx } from "../job-state/job-store.ts";
import { damageOf } from "./artifact-checks.ts";

/** An artifact of the project that the same step made of the same inputs. */
export async function findReusable(
  tx: Tx,
  projectId: string,
  kind: string,
  reuseKey: string,
): Promise<Artifact | null> {
  const artifacts = await tx.artifact.findMany({
    where: { projectId, kind, reuseKey, deletedAt: null },
    orderBy: { createdAt: "desc" },
    take: 20,
  });
  return firstIntact(tx, artifacts);
}

/** The first of which no file is known to be damaged. */
export async function firstIntact(tx: Tx, artifacts: readonly Artifact[]): Promise<Artifact | null> {
  const damage = await damageOf(
    tx,
    artifacts.map(({ id }) => id),
  );
  return artifacts.find(({ id }) => !damage.has(id)) ?? null;
}
