import {
  AppError,
  type Member,
  membersOf,
  memberTitle,
  type StageTask,
  type WorkerEventBody,
} from "@hopwise/contracts";
import type { StepComponent } from "@hopwise/gnn-core/spec";
import { formatCpuList } from "../binding/cpu-list.ts";
import type { Logger } from "../log.ts";
import { type Incident, RankGroup } from "../ranks/launcher.ts";
import { libuvThreads } from "../ranks/libuv-threads.ts";
import type { MemberEvent } from "../ranks/messages.ts";
import { RedisRendezvous } from "../ranks/redis-rendezvous.ts";
import { RendezvousTable } from "../ranks/rendezvous.ts";
import type { StageServices } from "./stage-services.ts";

const stillForStallTimes = 12;

export interface GroupListener {
  readonly log: Logger;
  readonly onStarted: (started: Extract<WorkerEventBody, { type: "stageStarted" }>) => void;
  readonly onEvent: (member: Member, event: MemberEvent) => void;
  readonly onIncident: (incident: Incident) => void;
}

/** @throws AppError DEVICE_NOT_AVAILABLE, WORKER_INCOMPATIBLE when this worker cannot do what the task asks for */
export function requireAbleWorker(
  step: StepComponent,
  { device, slice }: StageTask,
  { devices, env: { network, worker } }: Pick<StageServices, "devices" | "env">,
): void {
  // Steps of one rank load no backend: what they do, every worker's CPU can.
  if (step.ranks === "all" && !devices.some(({ kind }) => kind === device)) {
    const kinds = devices.map(({ kind }) => kind).join(", ");
    throw new AppError(
      "DEVICE_NOT_AVAILABLE",
      `The task asks for ${device}; the worker on ${worker.host} computes on ${kinds}.`,
    );
  }
  if (slice.count > 1 && !network) {
    const detail = `The worker on ${worker.host} has no address for ranks on other hosts; set HOPWISE_RANK_ADDRESS to an address or interface that they can reach.`;
    throw new AppError("WORKER_INCOMPATIBLE", detail);
  }
}

/** Takes or starts the processes of this host's slice. They load their components and wait for `start`. */
export function launchGroup(
  step: StepComponent,
  task: StageTask,
  services: StageServices,
  { log, onStarted, onEvent, onIncident }: GroupListener,
): RankGroup {
  const { env, workerId, rankPool, rankBinder, stepMemoryBytes } = services;
  const members = membersOf(task.slice);
  const bindings = rankBinder.bind(members.length);
  const group = new RankGroup({
    members,
    rendezvous: rendezvousOf(task, services),
    pool: rankPool,
    birthOf: (localRank) => ({
      ...env.engine,
      environment: { ...env.rankEnvironment, UV_THREADPOOL_SIZE: String(libuvThreads(task.options)) },
      threads: task.threadsPerRank,
      cpus: bindings?.[localRank]?.cpus ?? null,
      memoryBytes: stepMemoryBytes,
    }),
    memoryBytes: stepMemoryBytes,
    place: { host: env.worker.host, step: step.name },
    stallMs: env.stallMs,
    // Training and inference advance with every batch; a step on one rank may sit in one call of a library for long.
    between: step.ranks === "all" ? "nothing" : "computing",
    stillLimitMs: step.ranks === "all" ? stillForStallTimes * env.stallMs : null,
    log,
    onEvent,
    onIncident,
  });
  onStarted({ type: "stageStarted", workerId, host: env.worker.host, pids: group.pids });
  for (const [localRank, member] of members.entries()) {
    const binding = bindings?.[localRank];
    if (!binding) continue;
    const { cpus, nodes } = binding;
    const fields = { cpus: formatCpuList(cpus), numaNodes: formatCpuList(nodes), threads: task.threadsPerRank };
    onEvent(member, { type: "log", level: "info", member, message: `${memberTitle(member)} is bound to CPUs`, fields });
  }
  return group;
}

/** Members of a group on one host meet in its launcher, those of several hosts in Redis. */
function rendezvousOf({ slice, rendezvous }: StageTask, { env, redis }: StageServices) {
  return slice.count === 1 ? new RendezvousTable() : new RedisRendezvous(redis, env.redisUrl, rendezvous);
}
