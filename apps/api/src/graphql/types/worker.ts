import type { WorkerCapacity } from "@hopwise/contracts";
import { capacityOf } from "../../workers/capacity.ts";
import { withVisibleRunning } from "../../workers/running-stages.ts";
import { shownWorkerState } from "../../workers/worker-directory.ts";
import { builder } from "../base/builder.ts";
import { listCost } from "../base/costs.ts";
import { WorkerStateEnum } from "./enums.ts";

const Device = builder.objectRef<WorkerCapacity["devices"][number]>("Device").implement({
  fields: (t) => ({
    kind: t.exposeString("kind"),
    index: t.exposeInt("index"),
    name: t.exposeString("name"),
    memoryBytes: t.expose("memoryBytes", { type: "SafeInt" }),
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
        select: { state: true, lastSeen: true },
        resolve: (worker) => shownWorkerState(worker, new Date()),
      }),
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
    complexity: listCost(1000),
    resolve: async (query, _root, _args, { services: { prisma }, viewer }) => {
      const found = await prisma.worker.findMany({ ...query, orderBy: [{ state: "asc" }, { id: "asc" }], take: 1000 });
      return withVisibleRunning(prisma, viewer, found);
    },
  }),
}));
