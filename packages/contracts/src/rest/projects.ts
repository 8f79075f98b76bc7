import { z } from "zod";
import { limits } from "../limits.ts";
import { route } from "./route.ts";
import { count, idParams, isoTime, listOf } from "./shapes.ts";

const atOnce = (least: number) => z.number().int().min(least).max(limits.projectAtOnce).nullable().default(null);

/** What is left out, or null, has no limit. */
export const projectLimits = z
  .strictObject({
    slots: atOnce(1).describe("Slots held at once, by ranks and sampler processes"),
    devices: atOnce(0).describe("Devices that ranks have for themselves at once"),
    waitingJobs: atOnce(1).describe("Jobs that wait at once"),
    monthlyRankHours: z
      .number()
      .min(0)
      .max(limits.projectHours)
      .nullable()
      .default(null)
      .describe("Rank hours in a calendar month, in UTC"),
  })
  .meta({ id: "ProjectLimits" });
export type ProjectLimits = z.infer<typeof projectLimits>;

export const projectAnswer = z
  .object({
    id: z.string(),
    name: z.string(),
    createdBy: z.string().nullable(),
    createdAt: isoTime,
    limits: projectLimits.describe("null = no limit"),
  })
  .meta({ id: "Project" });
export type ProjectAnswer = z.infer<typeof projectAnswer>;

export const newProject = z.strictObject({ name: z.string() });

const price = z.number().min(0).max(limits.hourPrice);

export const prices = z
  .strictObject({
    currency: z
      .string()
      .regex(/^[\p{L}\p{Sc}]{1,8}$/u, "Expected 1 to 8 letters or signs of currencies, such as EUR or €")
      .describe("What is written beside each cost; nothing is converted"),
    perRankHour: price,
    perDeviceHour: price,
  })
  .meta({ id: "Prices" });
export type Prices = z.infer<typeof prices>;

export const projectUseQuery = z.object({
  from: z.iso.datetime().optional().describe("Left out: the beginning of the calendar month, in UTC"),
  to: z.iso.datetime().optional().describe("Left out: now"),
});
export type ProjectUseQuery = z.infer<typeof projectUseQuery>;

const projectUse = z
  .object({
    projectId: z.string(),
    name: z.string(),
    rankHours: z.number().describe("An hour of a slot that a rank or a sampler process held; by jobs of every kind"),
    deviceHours: z.number().describe("An hour of a device that a rank had for itself"),
    cost: z.number().nullable().describe("By the prices of now; null: there are none"),
    heldSlots: count.describe("Now"),
    heldDevices: count.describe("Now"),
    waitingJobs: count.describe("Now"),
    monthRankHours: z.number().describe("In this calendar month, in UTC: what its limit counts"),
  })
  .meta({ id: "ProjectUse" });
export type ProjectUse = z.infer<typeof projectUse>;

export const projectUseAnswer = z
  .object({ from: isoTime, to: isoTime, prices: prices.nullable(), items: z.array(projectUse) })
  .meta({ id: "UseOfProjects" });
export type ProjectUseAnswer = z.infer<typeof projectUseAnswer>;

const tag = "projects";

export const projectRoutes = {
  listProjects: route({
    method: "GET",
    path: "/v1/projects",
    tag,
    summary: "The projects that the key may see",
    answers: { 200: listOf(projectAnswer) },
  }),
  createProject: route({
    method: "POST",
    path: "/v1/projects",
    tag,
    summary: "Makes a project, as an admin whose key is bound to none",
    body: newProject,
    answers: { 201: projectAnswer },
    problems: ["REQUEST_CONFLICT"],
  }),
  setProjectLimits: route({
    method: "PUT",
    path: "/v1/projects/:id/limits",
    tag,
    summary: "Sets what a project may hold, have waiting and use, as an admin whose key is bound to none",
    params: idParams,
    body: projectLimits,
    answers: { 200: projectAnswer },
  }),
  readProjectUse: route({
    method: "GET",
    path: "/v1/projects/use",
    tag,
    summary: "What each project used in a span of time, what that cost, and what it holds now; for admins",
    query: projectUseQuery,
    answers: { 200: projectUseAnswer },
  }),
  setPrices: route({
    method: "PUT",
    path: "/v1/prices",
    tag,
    summary: "Sets what an hour of a slot and of a device costs, as an admin whose key is bound to no project",
    body: prices,
    answers: { 200: prices },
  }),
  removePrices: route({
    method: "DELETE",
    path: "/v1/prices",
    tag,
    summary: "Shows no costs any more, as an admin whose key is bound to no project",
    answers: { 204: { description: "There are no prices" } },
  }),
};
