import type { Registry } from "@hopwise/gnn-core/spec";
import { estimateOf, resourcesOf } from "../database/stored-json.ts";
import type { Stage } from "../generated/prisma/client.ts";
import type { JobRun } from "../job-state/job-run.ts";
import type { Need } from "./need.ts";

/** What a stage needs of the workers, and what the stages behind it will. */
export function needOf(run: JobRun, stage: Stage, registry: Registry): Need {
  const ahead = run.stages.filter(({ index, state }) => index >= stage.index && state !== "SUCCEEDED");
  const resources = resourcesOf(run.job);
  const membersOf = (each: Stage) => ranksOf(run, each, registry) + samplersOf(run, each, registry);
  const mostMembers = Math.max(...ahead.map(membersOf));
  const devicesOf = (each: Stage) => (usesDevice(each, registry) ? ranksOf(run, each, registry) : 0);
  const hosts = resources?.hosts ?? "auto";
  // The attempt that will run it: the one at work, or the next.
  const attempt = run.job.attempt + (run.attempt?.state === "RUNNING" ? 0 : 1);
  const components = ahead.map(({ kind }) => `step:${kind}@${registry.get("step", kind).version}`);
  return {
    members: membersOf(stage),
    mostMembers,
    devices: devicesOf(stage),
    mostDevices: Math.max(...ahead.map(devicesOf)),
    deviceBytes: estimateOf(run.job)?.deviceBytesPerRank ?? 0,
    fewestMembers: attempt > 1 ? Math.min(mostMembers, resources?.minRanks ?? mostMembers) : null,
    // Once there are no sampler processes to come, fewer hosts may do than they shared with the ranks.
    hosts: mostMembers === 1 ? 1 : hosts === "auto" ? "auto" : Math.min(hosts, mostMembers),
    device: resources?.device ?? "auto",
    labels: resources?.workerLabels ?? {},
    components: [...new Set(components)],
  };
}

/** Whether its ranks compute with the worker's backend: the steps that run on all ranks do. */
export function usesDevice({ kind }: Pick<Stage, "kind">, registry: Registry): boolean {
  return registry.get("step", kind).ranks === "all";
}

/** The most ranks of any stage still to run. */
export function mostRanksOf(run: JobRun, registry: Registry): number {
  return Math.max(
    ...run.stages.filter(({ state }) => state !== "SUCCEEDED").map((stage) => ranksOf(run, stage, registry)),
  );
}

/** How many ranks the job asks for in a stage; one that was granted before may have had fewer. */
export function ranksOf({ job }: JobRun, { kind, ranks }: Stage, registry: Registry): number {
  const resources = resourcesOf(job);
  return registry.get("step", kind).ranks === "all" ? (resources?.ranks ?? ranks) : 1;
}

/** How many sampler processes it asks for: of steps that draw batches. */
export function samplersOf({ job }: JobRun, { kind }: Stage, registry: Registry): number {
  const resources = resourcesOf(job);
  return registry.get("step", kind).createSampler ? (resources?.samplers ?? 0) : 0;
}
