import { AppError, type ArtifactRef } from "@hopwise/contracts";
import type { Registry } from "@hopwise/gnn-core/spec";
import { damageOf, replaceDamaged } from "../artifacts/artifact-checks.ts";
import { givenArtifacts } from "../artifacts/given-artifacts.ts";
import { damaged } from "../artifacts/integrity.ts";
import { firstIntact } from "../artifacts/reusable-artifact.ts";
import { continueFromOf } from "../database/stored-json.ts";
import type { Artifact, Stage } from "../generated/prisma/client.ts";
import type { JobRun } from "../job-state/job-run.ts";
import type { Tx } from "../job-state/job-store.ts";
import { awaitedGraph } from "./remake-graphs.ts";

/** An input is damaged, and another job makes it again, or is about to. */
export class InputAwaited extends AppError {}

/**
 * The artifacts a stage reads, by kind: the newest made by an earlier stage of the job, else one of the job it derives
 * from, else one of the dataset version, or the model that the job applies or starts from.
 *
 * @throws AppError REQUEST_CONFLICT when one has been deleted meanwhile, ARTIFACT_DAMAGED when one is and nothing takes
 * its place; InputAwaited when something will
 */
export async function resolveInputs(
  tx: Tx,
  run: JobRun,
  stage: Stage,
  registry: Registry,
): Promise<Record<string, ArtifactRef>> {
  const found = await findInputs(tx, run, stage, registry);
  const ids = Object.values(found).map(({ id }) => id);
  if ((await damageOf(tx, ids)).size === 0) return refsOf(found);
  // Asked before what it made is looked for: when it ends in between, that is found.
  const awaited = await awaitedGraph(tx, run.job);
  await replaceDamaged(tx);
  const replaced = await findInputs(tx, run, stage, registry);
  const damage = await damageOf(
    tx,
    Object.values(replaced).map(({ id }) => id),
  );
  for (const artifact of Object.values(replaced)) {
    const [first] = damage.get(artifact.id) ?? [];
    if (!first) continue;
    const error = damaged(artifact, first);
    throw artifact.id === awaited ? new InputAwaited("ARTIFACT_DAMAGED", error.message) : error;
  }
  return refsOf(replaced);
}

async function findInputs(tx: Tx, run: JobRun, stage: Stage, registry: Registry): Promise<Record<string, Artifact>> {
  const earlier = await outputsOf(
    tx,
    run.stages.filter(({ index }) => index < stage.index),
  );
  const derived = run.job.sourceJobId === null ? [] : await outputsOfJob(tx, run.job.sourceJobId);
  const { ofVersion, named } = await givenArtifacts(tx, run.job);
  const given = [...ofVersion, ...named];
  const inputs: Record<string, Artifact> = {};
  const { inputs: needed, readsIfMade = [] } = registry.get("step", stage.kind);
  const find = (kind: string, among: readonly Artifact[][]) =>
    among.map((from) => from.findLast((a) => a.kind === kind)).find(Boolean);
  for (const kind of needed) {
    const found = find(kind, [earlier, derived, given]);
    if (!found) throw missing(kind, stage.kind);
    inputs[kind] = found;
  }
  for (const kind of readsIfMade) {
    const found = find(kind, [earlier, derived, named]);
    if (found) inputs[kind] = found;
  }
  return inputs;
}

function refsOf(artifacts: Readonly<Record<string, Artifact>>): Record<string, ArtifactRef> {
  return Object.fromEntries(Object.entries(artifacts).map(([kind, artifact]) => [kind, refOf(artifact)]));
}

export interface StoredCheckpoint {
  readonly ref: ArtifactRef;
  readonly epoch: number | null;
}

/**
 * The checkpoint that a stage goes on from: its own last one, else the one that the job was submitted with.
 *
 * @throws AppError REQUEST_CONFLICT when that has been deleted meanwhile, ARTIFACT_DAMAGED when it is damaged
 */
export async function checkpointFor(tx: Tx, run: JobRun, stage: Stage): Promise<StoredCheckpoint | null> {
  const own = await lastCheckpoint(tx, run, stage);
  const given = stage.kind === "train" ? continueFromOf(run.job) : undefined;
  if (own !== null || given === undefined) return own;
  const { projectId } = run.job;
  const checkpoint = await tx.artifact.findFirst({
    where: { id: given, projectId, kind: "checkpoint", deletedAt: null },
  });
  if (!checkpoint) throw missing("checkpoint", stage.kind);
  const [damage] = (await damageOf(tx, [checkpoint.id])).get(checkpoint.id) ?? [];
  if (damage) throw damaged(checkpoint, damage);
  return { ref: refOf(checkpoint), epoch: checkpoint.epoch };
}

/** The last intact checkpoint that this stage stored in an earlier attempt; the one that the sweep always keeps. */
async function lastCheckpoint(tx: Tx, run: JobRun, stage: Stage): Promise<StoredCheckpoint | null> {
  // Superseded ones too, as long as they are there: they are what is left when the last one is damaged.
  const checkpoints = await tx.artifact.findMany({
    where: { jobId: run.job.id, stageIndex: stage.index, kind: "checkpoint", deletedAt: null },
    orderBy: [{ epoch: "desc" }, { step: "desc" }, { attempt: "desc" }],
  });
  const checkpoint = await firstIntact(tx, checkpoints);
  return checkpoint && { ref: refOf(checkpoint), epoch: checkpoint.epoch };
}

async function outputsOfJob(tx: Tx, jobId: string): Promise<Artifact[]> {
  return outputsOf(tx, await tx.stage.findMany({ where: { jobId }, orderBy: { index: "asc" } }));
}

async function outputsOf(tx: Tx, stages: readonly Stage[]): Promise<Artifact[]> {
  const ids = stages.flatMap(({ outputId }) => outputId ?? []);
  const artifacts = await tx.artifact.findMany({ where: { id: { in: ids }, deletedAt: null } });
  return ids.flatMap((id) => artifacts.find((artifact) => artifact.id === id) ?? []);
}

function refOf({ id, kind, prefix, digest }: Artifact): ArtifactRef {
  return { id, kind, prefix, digest };
}

function missing(kind: string, step: string): AppError {
  return new AppError(
    "REQUEST_CONFLICT",
    `The step "${step}" needs the job's artifact "${kind}", which is not there any more; submit the job again.`,
  );
}
