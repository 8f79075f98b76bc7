import { type LogLineAnswer, type LogPageAnswer, type SeriesAnswer, shownMemberText as text } from "@hopwise/contracts";
import type { ProcessUsage, StepBreakdown } from "@hopwise/gnn-core/spec";
import { builder } from "../base/builder.ts";
import { MemberKindEnum } from "./enums.ts";

export const SeriesType = builder.objectRef<SeriesAnswer>("Series").implement({
  description: "Parallel arrays: values[i] was measured at steps[i] of its axis, at times[i]",
  fields: (t) => ({
    name: t.exposeString("name"),
    axis: t.exposeString("axis", { description: "epoch or step" }),
    steps: t.field({ type: ["SafeInt"], resolve: (series) => [...series.steps] }),
    values: t.field({ type: t.listRef("Float", { nullable: true }), resolve: (series) => [...series.values] }),
    times: t.field({
      type: ["SafeInt"],
      description: "When each was measured, in milliseconds since 1970",
      resolve: (series) => [...series.times],
    }),
  }),
});

const LogLine = builder.objectRef<LogLineAnswer>("LogLine").implement({
  fields: (t) => ({
    cursor: t.exposeString("cursor"),
    at: t.expose("at", { type: "DateTime" }),
    level: t.exposeString("level"),
    attempt: t.exposeInt("attempt"),
    stageIndex: t.exposeInt("stageIndex", { nullable: true }),
    member: t.exposeString("member", { description: text.member }),
    memberKind: t.expose("memberKind", { type: MemberKindEnum }),
    rank: t.exposeInt("rank", { nullable: true, description: text.rank }),
    message: t.exposeString("message"),
    fields: t.expose("fields", { type: "JSON", complexity: 2, nullable: true }),
  }),
});

export const LogPage = builder.objectRef<LogPageAnswer>("LogPage").implement({
  fields: (t) => ({
    lines: t.field({ type: [LogLine], complexity: { multiplier: 1 }, resolve: (page) => [...page.lines] }),
    hasNextPage: t.exposeBoolean("hasNextPage", {
      description: "Whether lines follow, in a page read from the oldest line on",
    }),
    hasPreviousPage: t.exposeBoolean("hasPreviousPage", {
      description: "Whether lines precede, in a page of the `last` lines",
    }),
    startCursor: t.exposeString("startCursor", { nullable: true }),
    endCursor: t.exposeString("endCursor", { nullable: true }),
  }),
});

export const ProcessUsageType = builder.objectRef<ProcessUsage>("ProcessUsage").implement({
  description: "What a process has used since it began; null: its system does not count it",
  fields: (t) => ({
    cpuSeconds: t.exposeFloat("cpuSeconds", { description: "CPU seconds of all its threads" }),
    readBytes: t.expose("readBytes", { type: "SafeInt", nullable: true, description: "From storage" }),
    writtenBytes: t.expose("writtenBytes", { type: "SafeInt", nullable: true, description: "To storage" }),
    networkBytes: t.expose("networkBytes", {
      type: "SafeInt",
      nullable: true,
      description: "That the interfaces of its host carried, loopback left out",
    }),
  }),
});

export const StepBreakdownType = builder.objectRef<StepBreakdown>("StepBreakdown").implement({
  description: "Milliseconds per step",
  fields: (t) => ({
    sample: t.exposeFloat("sample"),
    gather: t.exposeFloat("gather"),
    forward: t.exposeFloat("forward"),
    backward: t.exposeFloat("backward"),
    allReduce: t.exposeFloat("allReduce"),
    optimizer: t.exposeFloat("optimizer"),
    wait: t.exposeFloat("wait"),
  }),
});
