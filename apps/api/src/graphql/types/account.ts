import { limits, type ProjectLimits } from "@hopwise/contracts";
import { limitsOf } from "../../projects/project-limits.ts";
import { createProject, listProjects } from "../../projects/project-service.ts";
import { builder } from "../base/builder.ts";
import { costs, listCost } from "../base/costs.ts";
import { RoleEnum } from "./enums.ts";

export const UserType = builder.prismaObject("User", {
  fields: (t) => ({
    id: t.exposeID("id"),
    name: t.exposeString("name"),
    role: t.expose("role", { type: RoleEnum }),
  }),
});

const ProjectLimitsType = builder.objectRef<ProjectLimits>("ProjectLimits").implement({
  description: "null = no limit",
  fields: (t) => ({
    slots: t.exposeInt("slots", {
      nullable: true,
      description: "Held at once, by ranks and sampler processes",
    }),
    devices: t.exposeInt("devices", { nullable: true, description: "That ranks have for themselves at once" }),
    waitingJobs: t.exposeInt("waitingJobs", { nullable: true, description: "At once" }),
    monthlyRankHours: t.exposeFloat("monthlyRankHours", {
      nullable: true,
      description: "In a calendar month, in UTC",
    }),
  }),
});

const limitColumns = { maxSlots: true, maxDevices: true, maxWaitingJobs: true, monthlyRankHours: true } as const;

export const ProjectType = builder.prismaObject("Project", {
  fields: (t) => ({
    id: t.exposeID("id"),
    name: t.exposeString("name"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    limits: t.field({ type: ProjectLimitsType, select: limitColumns, resolve: limitsOf }),
  }),
});

export const ApiKeyType = builder.prismaObject("ApiKey", {
  fields: (t) => ({
    id: t.exposeID("id"),
    name: t.exposeString("name"),
    prefix: t.exposeString("prefix", { description: "Its first characters, to recognise it" }),
    role: t.expose("role", { type: RoleEnum }),
    project: t.relation("project", { nullable: true, description: "Set: the key sees this project only" }),
    createdBy: t.relation("creator"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    lastUsedAt: t.expose("lastUsedAt", { type: "DateTime", nullable: true }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", nullable: true }),
    revokedAt: t.expose("revokedAt", { type: "DateTime", nullable: true }),
  }),
});

const ViewerType = builder.objectRef<{ userId: string; role: "ADMIN" | "EDITOR" | "VIEWER"; projectId: string | null }>(
  "Viewer",
);
ViewerType.implement({
  fields: (t) => ({
    user: t.prismaField({
      type: "User",
      complexity: costs.query,
      resolve: (query, viewer, _args, { services }) =>
        services.prisma.user.findUniqueOrThrow({ ...query, where: { id: viewer.userId } }),
    }),
    role: t.expose("role", { type: RoleEnum, description: "The lower of the user's role and the key's" }),
    project: t.prismaField({
      type: "Project",
      nullable: true,
      complexity: costs.query,
      description: "Set: only this project can be seen",
      resolve: (query, viewer, _args, { services }) =>
        viewer.projectId === null
          ? null
          : services.prisma.project.findUnique({ ...query, where: { id: viewer.projectId } }),
    }),
  }),
});

builder.queryFields((t) => ({
  me: t.field({ type: ViewerType, resolve: (_root, _args, { viewer }) => viewer }),
  projects: t.field({
    type: [ProjectType],
    complexity: listCost(limits.listLength),
    resolve: (_root, _args, { services, viewer }) => listProjects(services, viewer),
  }),
}));

builder.mutationFields((t) => ({
  createProject: t.field({
    type: ProjectType,
    complexity: costs.mutation,
    description: "As an admin whose key is bound to no project",
    args: { name: t.arg.string({ required: true }) },
    resolve: (_root, { name }, { services, viewer }) => createProject(services, viewer, name),
  }),
}));
