import {
  limits,
  type Prices,
  type ProjectUse,
  type ProjectUseAnswer,
  prices as pricesSchema,
  projectLimits,
  projectUseQuery,
} from "@hopwise/contracts";
import { projectUse } from "../../jobs/project-use.ts";
import { removePrices, setPrices } from "../../projects/prices.ts";
import { setProjectLimits } from "../../projects/project-limits.ts";
import { builder } from "../base/builder.ts";
import { costs, listCost } from "../base/costs.ts";
import { soundArguments } from "../base/sound-arguments.ts";
import { ProjectType } from "./account.ts";

const PricesType = builder.objectRef<Prices>("Prices").implement({
  description: "What an hour costs, the same for all projects",
  fields: (t) => ({
    currency: t.exposeString("currency", { description: "What is written beside each cost" }),
    perRankHour: t.exposeFloat("perRankHour"),
    perDeviceHour: t.exposeFloat("perDeviceHour"),
  }),
});

const ProjectUseType = builder.objectRef<ProjectUse>("ProjectUse").implement({
  fields: (t) => ({
    projectId: t.exposeID("projectId"),
    name: t.exposeString("name"),
    rankHours: t.exposeFloat("rankHours", {
      description: "An hour of a slot that a rank or a sampler process held; by jobs of every kind",
    }),
    deviceHours: t.exposeFloat("deviceHours", { description: "An hour of a device that a rank had for itself" }),
    cost: t.exposeFloat("cost", { nullable: true, description: "By the prices of now; null: there are none" }),
    heldSlots: t.exposeInt("heldSlots", { description: "Now" }),
    heldDevices: t.exposeInt("heldDevices", { description: "Now" }),
    waitingJobs: t.exposeInt("waitingJobs", { description: "Now" }),
    monthRankHours: t.exposeFloat("monthRankHours", {
      description: "In this calendar month, in UTC: what its limit counts",
    }),
  }),
});

const UseOfProjectsType = builder.objectRef<ProjectUseAnswer>("UseOfProjects").implement({
  fields: (t) => ({
    from: t.field({ type: "DateTime", resolve: ({ from }) => new Date(from) }),
    to: t.field({ type: "DateTime", resolve: ({ to }) => new Date(to) }),
    prices: t.field({ type: PricesType, nullable: true, resolve: ({ prices }) => prices }),
    items: t.field({ type: [ProjectUseType], complexity: { multiplier: 1 }, resolve: ({ items }) => items }),
  }),
});

const ProjectLimitsInput = builder.inputType("ProjectLimitsInput", {
  description: "What is left out, or null, has no limit",
  fields: (t) => ({
    slots: t.int(),
    devices: t.int(),
    waitingJobs: t.int(),
    monthlyRankHours: t.float(),
  }),
});

const PricesInput = builder.inputType("PricesInput", {
  fields: (t) => ({
    currency: t.string({ required: true }),
    perRankHour: t.float({ required: true }),
    perDeviceHour: t.float({ required: true }),
  }),
});

builder.queryFields((t) => ({
  projectUse: t.field({
    type: UseOfProjectsType,
    description: "What each project used in a span of time, what that cost, and what it holds now; for admins",
    complexity: { field: 5 * costs.query + listCost(limits.listLength).field, multiplier: limits.listLength },
    args: {
      from: t.arg({ type: "DateTime", description: "Left out: the beginning of the calendar month, in UTC" }),
      to: t.arg({ type: "DateTime", description: "Left out: now" }),
    },
    resolve: (_root, { from, to }, { services, viewer }) =>
      projectUse(
        services,
        viewer,
        soundArguments(projectUseQuery, { from: from?.toISOString(), to: to?.toISOString() }),
      ),
  }),
}));

builder.mutationFields((t) => ({
  setProjectLimits: t.field({
    type: ProjectType,
    complexity: costs.mutation,
    description: "Sets what a project may hold, have waiting and use, as an admin whose key is bound to none",
    args: { id: t.arg.id({ required: true }), limits: t.arg({ type: ProjectLimitsInput, required: true }) },
    resolve: (_root, { id, limits: asked }, { services, viewer }) =>
      setProjectLimits(services, viewer, id, soundArguments(projectLimits, asked)),
  }),
  setPrices: t.field({
    type: PricesType,
    complexity: costs.mutation,
    description: "Sets what an hour of a slot and of a device costs, as an admin whose key is bound to no project",
    args: { prices: t.arg({ type: PricesInput, required: true }) },
    resolve: (_root, { prices }, { services, viewer }) =>
      setPrices(services, viewer, soundArguments(pricesSchema, prices)),
  }),
  removePrices: t.boolean({
    complexity: costs.mutation,
    description: "Shows no costs any more, as an admin whose key is bound to no project",
    resolve: async (_root, _args, { services, viewer }) => {
      await removePrices(services, viewer);
      return true;
    },
  }),
}));
