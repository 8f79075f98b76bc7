import { memberName, showMember, showMemberOrNone, shownMemberText as text } from "@hopwise/contracts";
import { breakdownOf, problemOfRow } from "../../database/stored-json.ts";
import type { Incident } from "../../generated/prisma/client.ts";
import { builder } from "../base/builder.ts";
import { AttemptStateEnum, MemberKindEnum, MemberStateEnum, StageStateEnum } from "./enums.ts";
import { ProblemType } from "./problem.ts";
import { StepBreakdownType } from "./progress.ts";

/** The rows that belong to a job: its attempts and stages, the processes that ran them, and what disturbed them. */

builder.prismaObject("Attempt", {
  fields: (t) => ({
    number: t.exposeInt("number"),
    state: t.expose("state", { type: AttemptStateEnum }),
    worker: t.exposeString("workerId"),
    host: t.exposeString("host"),
    ranks: t.exposeInt("ranks"),
    device: t.exposeString("device"),
    reason: t.exposeString("reason", { description: "`submitted`, or the code of what ended the attempt before" }),
    problem: t.field({
      type: ProblemType,
      nullable: true,
      select: { problem: true },
      resolve: (attempt) => problemOfRow(attempt),
    }),
    startedAt: t.expose("startedAt", { type: "DateTime" }),
    finishedAt: t.expose("finishedAt", { type: "DateTime", nullable: true }),
    resumedFromEpoch: t.exposeInt("resumedFromEpoch", {
      nullable: true,
      description: "Epoch of the checkpoint that an earlier attempt left it; null when it began anew",
    }),
  }),
});

builder.prismaObject("Stage", {
  fields: (t) => ({
    index: t.exposeInt("index"),
    kind: t.exposeString("kind", { description: "Name of the step component" }),
    state: t.expose("state", { type: StageStateEnum }),
    cached: t.exposeBoolean("cached", { description: "An equal artifact was there already: it did not run" }),
    attempt: t.exposeInt("attempt"),
    ranks: t.exposeInt("ranks"),
    phase: t.exposeString("phase", { nullable: true }),
    completed: t.expose("completed", { type: "SafeInt", nullable: true }),
    total: t.expose("total", { type: "SafeInt", nullable: true }),
    unit: t.exposeString("unit", { nullable: true }),
    etaSeconds: t.exposeFloat("etaSeconds", { nullable: true }),
    startedAt: t.expose("startedAt", { type: "DateTime", nullable: true }),
    finishedAt: t.expose("finishedAt", { type: "DateTime", nullable: true }),
    output: t.relation("output", { nullable: true }),
    problem: t.field({
      type: ProblemType,
      nullable: true,
      select: { problem: true },
      resolve: (stage) => problemOfRow(stage),
    }),
  }),
});

builder.prismaObject("Incident", {
  fields: (t) => ({
    cursor: t.string({ select: { cursor: true }, resolve: (incident) => String(incident.cursor) }),
    at: t.expose("at", { type: "DateTime" }),
    attempt: t.exposeInt("attempt"),
    code: t.exposeString("code"),
    message: t.exposeString("message"),
    member: t.string({
      nullable: true,
      description: text.member,
      select: { memberKind: true, memberIndex: true },
      resolve: (incident) => shownOf(incident).member,
    }),
    memberKind: t.expose("memberKind", { type: MemberKindEnum, nullable: true }),
    rank: t.int({
      nullable: true,
      description: text.rankOrNone,
      select: { memberKind: true, memberIndex: true },
      resolve: (incident) => shownOf(incident).rank,
    }),
    host: t.exposeString("host", { nullable: true }),
  }),
});

function shownOf({ memberKind: kind, memberIndex: index }: Pick<Incident, "memberKind" | "memberIndex">) {
  return showMemberOrNone(kind === null || index === null ? null : { kind, index });
}

builder.prismaObject("Member", {
  name: "Rank",
  description: "A rank, or a sampler process beside the ranks, of one attempt",
  fields: (t) => ({
    name: t.string({
      description: text.member,
      select: { kind: true, index: true },
      resolve: (member) => memberName(member),
    }),
    memberKind: t.expose("kind", { type: MemberKindEnum }),
    rank: t.int({
      nullable: true,
      description: text.rank,
      select: { kind: true, index: true },
      resolve: (member) => showMember(member).rank,
    }),
    localRank: t.exposeInt("localRank", { description: "Its place among the processes on its host: ranks first" }),
    attempt: t.exposeInt("attempt"),
    host: t.exposeString("host"),
    device: t.exposeString("device"),
    state: t.expose("state", { type: MemberStateEnum }),
    step: t.expose("step", { type: "SafeInt" }),
    seedsPerSecond: t.exposeFloat("seedsPerSecond", { nullable: true }),
    breakdown: t.field({
      type: StepBreakdownType,
      nullable: true,
      select: { breakdown: true },
      resolve: (member) => breakdownOf(member),
    }),
    rssBytes: t.expose("rssBytes", { type: "SafeInt", nullable: true }),
    localRows: t.expose("localRows", { type: "SafeInt", nullable: true }),
    remoteRows: t.expose("remoteRows", { type: "SafeInt", nullable: true }),
    cachedRows: t.expose("cachedRows", { type: "SafeInt", nullable: true }),
  }),
});
