import {
  AppError,
  type DeviceKind,
  type Member,
  membersOf,
  memberTitle,
  type StageSlice,
  type StageTask,
  type WorkerEventBody,
} from "@hopwise/contracts";
import type { StepComponent } from "@hopwise/gnn-core/spec";
import { formatCpuList } from "../binding/cpu-list.ts";
import type { DeviceRoster } from "../devices/device-roster.ts";
import type { Logger } from "../log.ts";
import { deviceEnvironment } from "../ranks/device-environment.ts";
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

/**
 * @throws AppError DEVICE_NOT_AVAILABLE, DEVICE_LOST, WORKER_INCOMPATIBLE when this worker cannot do what the task asks
 * for
 */
export function requireAbleWorker(
  step: StepComponent,
  { device, slice }: StageTask,
  { devices, env: { network, worker } }: Pick<StageServices, "devices" | "env">,
): void {
  // Steps of one rank load no backend: what they do, every worker's CPU can.
  if (step.ranks === "all") requireDevices(device, slice, devices, worker.host);
  if (slice.count > 1 && !network) {
    const detail = `The worker on ${worker.host} has no address for ranks on other hosts; set HOPWISE_RANK_ADDRESS to an address or interface that they can reach.`;
    throw new AppError("WORKER_INCOMPATIBLE", detail);
  }
}

function requireDevices(kind: DeviceKind, { ranks, devices }: StageSlice, roster: DeviceRoster, host: string): void {
  const kinds = new Set(roster.known.map((device) => device.kind));
  if (!kinds.has(kind)) {
    const detail = `The task asks for ${kind}; the worker on ${host} computes on ${[...kinds].join(", ")}.`;
    throw new AppError("DEVICE_NOT_AVAILABLE", detail);
  }
  if (kind === "cuda" && devices.length !== ranks.count) {
    const detail = `The task names ${devices.length} devices for ${ranks.count} ranks; each rank needs one of its own.`;
    throw new AppError("WORKER_INCOMPATIBLE", detail);
  }
  const missing = devices.filter((uuid) => !roster.current.some((device) => device.uuid === uuid));
  if (missing.length === 0) return;
  throw new AppError("DEVICE_LOST", `The worker on ${host} has the device ${missing.join(", ")} no more.`);
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
  // Ranks come before sampler processes, which have none.
  const deviceOf = (localRank: number) => task.slice.devices[localRank] ?? null;
  const isOnGpus = services.devices.known.some(({ kind }) => kind === "cuda");
  const group = new RankGroup({
    members,
    rendezvous: rendezvousOf(task, services),
    pool: rankPool,
    birthOf: (localRank) => ({
      ...env.engine,
      device: deviceOf(localRank),
      environment: {
        ...(isOnGpus ? deviceEnvironment(env.rankEnvironment, deviceOf(localRank)) : env.rankEnvironment),
        UV_THREADPOOL_SIZE: String(libuvThreads(task.options)),
      },
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
