import {
  type JobEventType,
  memberName,
  showMember,
  showMemberOrNone,
  shownMemberText as text,
} from "@hopwise/contracts";
import { changeTopics } from "../../events/change-marks.ts";
import { parseCursor } from "../../events/cursor.ts";
import type { PersistedJobEvent } from "../../job-state/job-event.ts";
import { getJob } from "../../jobs/job-queries.ts";
import { builder } from "../base/builder.ts";
import { costs } from "../base/costs.ts";
import { ArtifactType } from "../types/artifact.ts";
import { JobStateEnum, MemberKindEnum, StageStateEnum } from "../types/enums.ts";
import { ProblemType } from "../types/problem.ts";
import { ProcessUsageType, StepBreakdownType } from "../types/progress.ts";

type EventOf<T extends JobEventType> = Extract<PersistedJobEvent, { type: T }>;

const JobEvent = builder.interfaceRef<PersistedJobEvent>("JobEvent").implement({
  description: "Something that happened to a job. Events are stored: a subscriber resumes after any cursor",
  fields: (t) => ({
    cursor: t.string({ resolve: (event) => String(event.cursor), description: "Counts 1, 2, 3 … per job" }),
    at: t.expose("at", { type: "DateTime" }),
    attempt: t.exposeInt("attempt"),
  }),
  resolveType: (event) => event.type,
});

/** An object type of this name whose fields read the event's body. */
function eventType<T extends JobEventType>(name: T) {
  return builder.objectRef<EventOf<T>>(name);
}

eventType("JobStateChanged").implement({
  interfaces: [JobEvent],
  fields: (t) => ({
    state: t.field({ type: JobStateEnum, resolve: ({ body }) => body.state }),
    problem: t.field({ type: ProblemType, nullable: true, resolve: ({ body }) => body.problem }),
  }),
});

eventType("StageProgressed").implement({
  interfaces: [JobEvent],
  fields: (t) => ({
    stageIndex: t.int({ resolve: ({ body }) => body.stageIndex }),
    kind: t.string({ resolve: ({ body }) => body.kind }),
    state: t.field({ type: StageStateEnum, resolve: ({ body }) => body.state }),
    cached: t.boolean({ resolve: ({ body }) => body.cached }),
    phase: t.string({ nullable: true, resolve: ({ body }) => body.phase }),
    completed: t.field({ type: "SafeInt", nullable: true, resolve: ({ body }) => body.completed }),
    total: t.field({ type: "SafeInt", nullable: true, resolve: ({ body }) => body.total }),
    unit: t.string({ nullable: true, resolve: ({ body }) => body.unit }),
    etaSeconds: t.float({ nullable: true, resolve: ({ body }) => body.etaSeconds }),
    problem: t.field({ type: ProblemType, nullable: true, resolve: ({ body }) => body.problem }),
  }),
});

const MetricValue = builder.objectRef<{ name: string; value: number | null }>("MetricValue").implement({
  fields: (t) => ({ name: t.exposeString("name"), value: t.exposeFloat("value", { nullable: true }) }),
});

eventType("MetricsRecorded").implement({
  interfaces: [JobEvent],
  fields: (t) => ({
    axis: t.string({ resolve: ({ body }) => body.axis, description: "epoch or step" }),
    step: t.field({ type: "SafeInt", resolve: ({ body }) => body.step }),
    values: t.field({ type: [MetricValue], resolve: ({ body }) => [...body.values] }),
  }),
});

eventType("RankUpdated").implement({
  interfaces: [JobEvent],
  fields: (t) => ({
    member: t.string({ description: text.member, resolve: ({ body }) => memberName(body.member) }),
    memberKind: t.field({ type: MemberKindEnum, resolve: ({ body }) => body.member.kind }),
    rank: t.int({ nullable: true, description: text.rank, resolve: ({ body }) => showMember(body.member).rank }),
    step: t.field({ type: "SafeInt", resolve: ({ body }) => body.step }),
    device: t.string({ resolve: ({ body }) => body.device }),
    seedsPerSecond: t.float({ nullable: true, resolve: ({ body }) => body.seedsPerSecond }),
    breakdown: t.field({ type: StepBreakdownType, nullable: true, resolve: ({ body }) => body.breakdown }),
    rssBytes: t.field({ type: "SafeInt", resolve: ({ body }) => body.rssBytes }),
    usage: t.field({ type: ProcessUsageType, nullable: true, resolve: ({ body }) => body.usage }),
    localRows: t.field({ type: "SafeInt", resolve: ({ body }) => body.localRows }),
    remoteRows: t.field({ type: "SafeInt", resolve: ({ body }) => body.remoteRows }),
    cachedRows: t.field({ type: "SafeInt", resolve: ({ body }) => body.cachedRows }),
  }),
});

eventType("LogAppended").implement({
  interfaces: [JobEvent],
  fields: (t) => ({
    stageIndex: t.exposeInt("stageIndex", { nullable: true }),
    level: t.string({ resolve: ({ body }) => body.level }),
    member: t.string({ description: text.member, resolve: ({ body }) => memberName(body.member) }),
    memberKind: t.field({ type: MemberKindEnum, resolve: ({ body }) => body.member.kind }),
    rank: t.int({ nullable: true, description: text.rank, resolve: ({ body }) => showMember(body.member).rank }),
    message: t.string({ resolve: ({ body }) => body.message }),
    fields: t.field({ type: "JSON", nullable: true, resolve: ({ body }) => body.fields }),
  }),
});

eventType("IncidentRaised").implement({
  interfaces: [JobEvent],
  fields: (t) => ({
    stageIndex: t.exposeInt("stageIndex", { nullable: true }),
    code: t.string({ resolve: ({ body }) => body.code }),
    message: t.string({ resolve: ({ body }) => body.message }),
    member: t.string({
      nullable: true,
      description: text.member,
      resolve: ({ body }) => showMemberOrNone(body.member).member,
    }),
    memberKind: t.field({ type: MemberKindEnum, nullable: true, resolve: ({ body }) => body.member?.kind }),
    rank: t.int({
      nullable: true,
      description: text.rankOrNone,
      resolve: ({ body }) => showMemberOrNone(body.member).rank,
    }),
    host: t.string({ nullable: true, resolve: ({ body }) => body.host }),
  }),
});

eventType("ArtifactReady").implement({
  interfaces: [JobEvent],
  fields: (t) => ({
    stageIndex: t.exposeInt("stageIndex", { nullable: true }),
    artifactId: t.id({ resolve: ({ body }) => body.artifactId }),
    kind: t.string({ resolve: ({ body }) => body.kind }),
    digest: t.string({ resolve: ({ body }) => body.digest }),
    bytes: t.field({ type: "SafeInt", resolve: ({ body }) => body.bytes }),
    epoch: t.int({ nullable: true, resolve: ({ body }) => body.epoch, description: "Epoch of a checkpoint" }),
    artifact: t.field({
      type: ArtifactType,
      nullable: true,
      complexity: costs.query,
      resolve: ({ body }, _args, { services }) =>
        services.prisma.artifact.findFirst({ where: { id: body.artifactId, deletedAt: null } }),
    }),
  }),
});

const ChangeTopicEnum = builder.enumType("ChangeTopic", {
  description: "A kind of list; QUEUE also where a job of another project moves, WEBHOOKS also what they were sent",
  values: changeTopics,
});

builder.subscriptionType({});
builder.subscriptionFields((t) => ({
  jobEvents: t.field({
    type: JobEvent,
    complexity: costs.query,
    description: "Every event after the cursor, in order and once each; ends with the job",
    args: { jobId: t.arg.id({ required: true }), after: t.arg.string({ description: "Left out: from the first on" }) },
    subscribe: async (_root, { jobId, after }, { services, viewer }) => {
      const job = await getJob(services, viewer, jobId);
      return services.jobEvents.jobEvents(job.id, parseCursor(after, job.cursor));
    },
    resolve: (event) => event,
  }),
  changes: t.field({
    type: [ChangeTopicEnum],
    complexity: costs.query,
    description:
      "Which lists are worth reading again: first all of them, as soon as no later change is missed, then those in which something has changed, about once a second at most; never ends by itself",
    subscribe: (_root, _args, { services, viewer }) => services.changes.follow(viewer),
    resolve: (topics) => [...topics],
  }),
}));
