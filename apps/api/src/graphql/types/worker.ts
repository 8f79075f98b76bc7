import {
  type DeviceLink,
  type DeviceUse as DeviceUseValue,
  limits,
  mostHistoryHours,
  type WorkerCapacity,
  type WorkerDevice,
  type WorkerHistoryAnswer,
  type WorkerLogLine,
  workerHistoryQuery,
  workerLogQuery,
} from "@hopwise/contracts";
import { capacityOf } from "../../workers/capacity.ts";
import { drainWorker } from "../../workers/drain-worker.ts";
import { readWorkerLog } from "../../workers/read-worker-log.ts";
import { withVisibleRunning } from "../../workers/running-stages.ts";
import { shownWorkerState } from "../../workers/worker-directory.ts";
import { readWorkerHistory } from "../../workers/worker-history.ts";
import { builder } from "../base/builder.ts";
import { costs, listCost, pointsCost } from "../base/costs.ts";
import { soundArguments } from "../base/sound-arguments.ts";
import { LogLevelEnum, WorkerStateEnum } from "./enums.ts";
import { SeriesType } from "./progress.ts";

const DeviceUse = builder.objectRef<DeviceUseValue>("DeviceUse").implement({
  description: "How busy a device is now; what its driver does not tell is null",
  fields: (t) => ({
    memoryBytes: t.expose("memoryBytes", { type: "SafeInt", nullable: true }),
    utilization: t.exposeFloat("utilization", {
      nullable: true,
      description: "Share of the last moments in which a kernel ran, 0 to 1",
    }),
    powerWatts: t.exposeFloat("powerWatts", { nullable: true }),
  }),
});

const DeviceLinkType = builder.objectRef<DeviceLink>("DeviceLink").implement({
  fields: (t) => ({
    to: t.exposeString("to", { description: "UUID of the other device" }),
    kind: t.exposeString("kind", {
      description: "nvlink, or the PCI path: board, switch, switches, host-bridge, numa-node, system",
    }),
  }),
});

const Device = builder.objectRef<WorkerDevice>("Device").implement({
  fields: (t) => ({
    kind: t.exposeString("kind"),
    index: t.exposeInt("index"),
    name: t.exposeString("name"),
    memoryBytes: t.expose("memoryBytes", { type: "SafeInt" }),
    uuid: t.exposeString("uuid", {
      nullable: true,
      description: "By which a rank gets it for itself alone; null: a CPU, which ranks share",
    }),
    computeCapability: t.exposeString("computeCapability", { nullable: true }),
    driverVersion: t.exposeString("driverVersion", { nullable: true }),
    migParent: t.exposeString("migParent", { nullable: true, description: "UUID of the GPU that it is a slice of" }),
    links: t.field({ type: [DeviceLinkType], resolve: ({ links }) => links }),
    isEmulated: t.exposeBoolean("isEmulated", { description: "Computed on the CPU, for tests" }),
    use: t.field({ type: DeviceUse, nullable: true, resolve: ({ use }) => use }),
  }),
});

const RunningStage = builder.objectRef<WorkerCapacity["running"][number]>("RunningStage").implement({
  fields: (t) => ({
    jobId: t.exposeID("jobId"),
    attempt: t.exposeInt("attempt"),
    stageIndex: t.exposeInt("stageIndex"),
  }),
});

export const WorkerType = builder.prismaObject("Worker", {
  fields: (t) => {
    const said = { select: { announcement: true } } as const;
    return {
      id: t.exposeID("id"),
      host: t.exposeString("host"),
      version: t.exposeString("version"),
      build: t.exposeString("build"),
      compatible: t.exposeBoolean("compatible"),
      reason: t.exposeString("reason", { nullable: true, description: "Why it gets no work" }),
      state: t.field({
        type: WorkerStateEnum,
        description: "DRAINING: it finishes what it runs and takes nothing new",
        select: { state: true, drained: true, lastSeen: true },
        resolve: (worker) => shownWorkerState(worker, new Date()),
      }),
      drained: t.exposeBoolean("drained", { description: "An admin has it take no new work" }),
      devices: t.field({ type: [Device], ...said, resolve: (worker) => capacityOf(worker).devices }),
      slots: t.int({ ...said, resolve: (worker) => capacityOf(worker).slots, description: "Ranks it can run at once" }),
      cores: t.int({ ...said, resolve: (worker) => capacityOf(worker).cores }),
      memoryBytes: t.field({ type: "SafeInt", ...said, resolve: (worker) => capacityOf(worker).memoryBytes }),
      diskFreeBytes: t.field({ type: "SafeInt", ...said, resolve: (worker) => capacityOf(worker).diskFreeBytes }),
      isa: t.string({ ...said, resolve: (worker) => capacityOf(worker).isa }),
      labels: t.field({ type: "JSON", ...said, resolve: (worker) => capacityOf(worker).labels }),
      rankAddress: t.string({
        ...said,
        nullable: true,
        resolve: (worker) => capacityOf(worker).rankAddress,
        description: "Where ranks of other hosts reach its ranks; null: no job shares it with another worker",
      }),
      running: t.field({
        type: [RunningStage],
        ...said,
        description: "To a key of one project: of that project's jobs alone",
        resolve: (worker) => capacityOf(worker).running,
      }),
      firstSeen: t.expose("firstSeen", { type: "DateTime" }),
      lastSeen: t.expose("lastSeen", { type: "DateTime" }),
    };
  },
});

builder.queryFields((t) => ({
  workers: t.prismaField({
    type: ["Worker"],
    complexity: listCost(limits.workers),
    resolve: async (query, _root, _args, { services: { prisma }, viewer }) => {
      const found = await prisma.worker.findMany({
        ...query,
        orderBy: [{ state: "asc" }, { id: "asc" }],
        take: limits.workers,
      });
      return withVisibleRunning(prisma, viewer, found);
    },
  }),
}));

const WorkerBootType = builder.objectRef<WorkerHistoryAnswer["boots"][number]>("WorkerBoot").implement({
  description: "A life of a worker's process",
  fields: (t) => ({
    bootId: t.exposeID("bootId"),
    version: t.exposeString("version"),
    from: t.field({ type: "DateTime", resolve: ({ from }) => new Date(from) }),
    to: t.field({ type: "DateTime", resolve: ({ to }) => new Date(to) }),
  }),
});

const WorkerHistoryType = builder.objectRef<WorkerHistoryAnswer>("WorkerHistory").implement({
  fields: (t) => ({
    series: t.field({
      type: [SeriesType],
      description:
        "Over time: held/slots and offered/slots; host/cores (busy, by whatever program), host/memoryBytes (used), " +
        "free/diskBytes; and of each GPU, under its index and name, utilization (0 to 1), deviceMemoryBytes and watts",
      resolve: ({ series }) => series,
    }),
    boots: t.field({ type: [WorkerBootType], description: "The oldest first", resolve: ({ boots }) => boots }),
  }),
});

builder.queryFields((t) => ({
  workerHistory: t.field({
    type: WorkerHistoryType,
    description: "What a worker has done in the last hours, minute by minute, whatever jobs it had",
    complexity: { field: pointsCost(20_000, 20_000), multiplier: 1 },
    args: {
      id: t.arg.id({ required: true }),
      hours: t.arg.float({ defaultValue: 24, description: `0.1 to ${mostHistoryHours}` }),
      maxPoints: t.arg.int({ defaultValue: 300, description: "2 to 2000" }),
    },
    resolve: (_root, { id, ...asked }, { services }) =>
      readWorkerHistory(services, id, soundArguments(workerHistoryQuery, asked)),
  }),
}));

const WorkerLogLineType = builder.objectRef<WorkerLogLine>("WorkerLogLine").implement({
  fields: (t) => ({
    cursor: t.expose("cursor", { type: "SafeInt", description: "Grows with each line, over restarts too" }),
    at: t.field({ type: "DateTime", resolve: ({ at }) => new Date(at) }),
    level: t.expose("level", { type: LogLevelEnum }),
    message: t.exposeString("message"),
    fields: t.field({ type: "JSON", resolve: ({ fields }) => fields }),
  }),
});

/** Lines of a log of two full halves, as short as they are mostly */
const likelyLines = (2 * limits.workerLogBytes) / 150;

builder.queryFields((t) => ({
  workerLog: t.field({
    type: [WorkerLogLineType],
    description: "The newest lines of a worker's own log, the oldest of them first; for admins of all projects",
    complexity: { field: costs.query + likelyLines * costs.json, multiplier: 1 },
    args: {
      id: t.arg.id({ required: true }),
      after: t.arg({ type: "SafeInt", description: "Cursor of a line: those behind it alone" }),
      level: t.arg({ type: LogLevelEnum, description: "This level and above" }),
      search: t.arg.string({ description: "Text of the message or its fields, in any case" }),
    },
    resolve: async (_root, { id, ...asked }, { services, viewer }) =>
      (await readWorkerLog(services, viewer, id, soundArguments(workerLogQuery, asked))).lines.slice(),
  }),
}));

builder.mutationFields((t) => ({
  drainWorker: t.field({
    type: WorkerType,
    complexity: costs.mutation,
    description: "Has a worker take no new work, or take it again; the stages that it runs go on",
    args: { id: t.arg.id({ required: true }), drained: t.arg.boolean({ required: true }) },
    resolve: (_root, { id, drained }, { services, viewer }) => drainWorker(services, viewer, id, drained),
  }),
}));
