import { artifactInfos, type MatchedRowsAnswer, matchedRowsText } from "@hopwise/contracts";
import type { z } from "zod";
import { damageOf } from "../artifacts/artifact-checks.ts";
import { artifactInfo } from "../database/stored-json.ts";
import type { Artifact } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";

/**
 * What a job's stages made or, when cached, found: the newest of a kind. A reused artifact carries another job's id.
 */
export async function stageOutput({ prisma }: Services, jobId: string, kind: string): Promise<Artifact | null> {
  const stage = await prisma.stage.findFirst({
    where: { jobId, output: { kind, deletedAt: null } },
    orderBy: { index: "desc" },
    include: { output: true },
  });
  return stage?.output ?? null;
}

/** The newest output of a kind of each of several jobs, by their ids; a job that has none is left out. */
export async function stageOutputs(
  { prisma }: Services,
  jobIds: readonly string[],
  kind: string,
): Promise<ReadonlyMap<string, Artifact>> {
  const stages = await prisma.stage.findMany({
    where: { jobId: { in: [...jobIds] }, output: { kind, deletedAt: null } },
    orderBy: { index: "asc" },
    include: { output: true },
  });
  return new Map(stages.flatMap(({ jobId, output }) => (output ? [[jobId, output]] : [])));
}

/** What is read of a model's facts to show it: an operator's own step may have said less. */
const shownModel = artifactInfos.model.pick({ model: true, metrics: true, epochs: true }).partial();
export type ShownModel = z.infer<typeof shownModel>;

/** What a model's artifact says of it, as far as it does. */
export function shownModelOf({ info }: Pick<Artifact, "info">): ShownModel {
  return shownModel.catch({}).parse(info);
}

/**
 * Final metrics of the model that a job trained, such as `test/accuracy`, or those of the one that it applied on its
 * dataset; null as long as there are none.
 */
export async function metricsOf(services: Services, jobId: string): Promise<Record<string, number | null> | null> {
  const model = await stageOutput(services, jobId, "model");
  if (model) return shownModelOf(model).metrics ?? null;
  const remapped = await stageOutput(services, jobId, "remapped");
  return remapped && artifactInfo("remapped", remapped.info).metrics;
}

/** Which nodes have no learned row of the model that a job applies; null: it has not told, or the model has no rows. */
export async function matchedRowsOf(services: Services, jobId: string): Promise<MatchedRowsAnswer | null> {
  const matched = await stageOutput(services, jobId, "matchedRows");
  if (!matched) return null;
  const info = artifactInfo("matchedRows", matched.info);
  return {
    known: info.numKnown,
    unseen: info.numUnseen,
    unseenIds: info.unseenIds,
    text: matchedRowsText(info),
    url: `/v1/artifacts/${matched.id}?blob=unseen.csv`,
  };
}

/**
 * The `exports` artifacts of a job and of the export jobs made from it, newest first; without those that are damaged.
 */
export async function exportsOf({ prisma }: Services, jobId: string): Promise<Artifact[]> {
  const stages = await prisma.stage.findMany({
    where: { job: { OR: [{ id: jobId }, { sourceJobId: jobId }] }, output: { kind: "exports", deletedAt: null } },
    orderBy: { finishedAt: "desc" },
    include: { output: true },
  });
  const exported = stages.flatMap(({ output }) => (output ? [output] : []));
  const damage = await damageOf(
    prisma,
    exported.map(({ id }) => id),
  );
  return exported.filter(({ id }) => !damage.has(id));
}

/** Everything a job made or reused, oldest first. */
export async function artifactsOf({ prisma }: Services, jobId: string, kind?: string | null): Promise<Artifact[]> {
  return prisma.artifact.findMany({
    where: { deletedAt: null, ...(kind ? { kind } : {}), OR: [{ jobId }, { stages: { some: { jobId } } }] },
    orderBy: { createdAt: "asc" },
    take: 1000,
  });
}
