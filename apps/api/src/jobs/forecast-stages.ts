import type { JobSpec, StageForecast } from "@hopwise/contracts";
import { engineVersion, type Registry } from "@hopwise/gnn-core/spec";
import { givenArtifacts } from "../artifacts/given-artifacts.ts";
import { findReusable } from "../artifacts/reusable-artifact.ts";
import { reuseKeyOf } from "../artifacts/reuse-key.ts";
import type { PrismaClient } from "../generated/prisma/client.ts";
import { type PlannedStage, planStages } from "../job-state/plan-stages.ts";

export interface ForecastJob {
  readonly projectId: string;
  readonly datasetVersionId: string;
  /** The kept model that it starts from */
  readonly modelArtifactId: string | null;
  readonly spec: JobSpec;
}

/** Digests by kind of artifact; null: it is made by a stage that runs, and not known before. */
type Digests = Map<string, string | null>;

/**
 * What becomes of each stage of a training job that is submitted now: the scheduler's own keys, followed from the
 * dataset on for as long as every input is known. A stage that reads what another makes anew is taken to run; should
 * that come out to the bit as once before, the scheduler reuses it all the same.
 */
export async function forecastStages(
  { prisma, registry }: { readonly prisma: PrismaClient; readonly registry: Registry },
  job: ForecastJob,
): Promise<StageForecast[]> {
  const given = await givenArtifacts(prisma, job);
  const versions: Digests = new Map(given.ofVersion.map(({ kind, digest }) => [kind, digest]));
  const named: Digests = new Map(given.named.map(({ kind, digest }) => [kind, digest]));
  const made: Digests = new Map();
  const forecast: StageForecast[] = [];
  for (const stage of planStages(job.spec, registry)) {
    const digest = await reusedDigest(prisma, job.projectId, stage, registry, { versions, named, made });
    made.set(stage.output, digest);
    const goesOn = stage.step === "train" && job.spec.continueFrom !== undefined;
    if (goesOn) forecast.push({ kind: stage.step, fate: "continued", epoch: await epochOf(prisma, job) });
    else forecast.push({ kind: stage.step, fate: digest === null ? "anew" : "reused", epoch: null });
  }
  return forecast;
}

interface KnownDigests {
  readonly versions: Digests;
  readonly named: Digests;
  readonly made: Digests;
}

/** The digest of what an equal step has made; null: there is nothing, or it cannot be told yet. */
async function reusedDigest(
  prisma: PrismaClient,
  projectId: string,
  { step, options, output }: PlannedStage,
  registry: Registry,
  { versions, named, made }: KnownDigests,
): Promise<string | null> {
  const component = registry.get("step", step);
  if (!component.reusable) return null;
  const needed = component.inputs.map((kind) => [kind, first(kind, [made, named, versions]) ?? null] as const);
  const further = (component.readsIfMade ?? []).flatMap((kind) => {
    const digest = first(kind, [made, named]);
    return digest === undefined ? [] : [[kind, digest] as const];
  });
  const inputs = [...needed, ...further];
  if (inputs.some(([, digest]) => digest === null)) return null;
  const reuseKey = reuseKeyOf({
    step,
    stepVersion: component.version,
    engine: engineVersion,
    options,
    inputs: Object.fromEntries(inputs) as Record<string, string>,
  });
  return (await findReusable(prisma, projectId, output, reuseKey))?.digest ?? null;
}

function first(kind: string, among: readonly Digests[]): string | null | undefined {
  return among.find((digests) => digests.has(kind))?.get(kind);
}

async function epochOf(prisma: PrismaClient, { projectId, spec }: ForecastJob): Promise<number | null> {
  const where = { id: spec.continueFrom ?? "", projectId };
  return (await prisma.artifact.findFirst({ where, select: { epoch: true } }))?.epoch ?? null;
}
