import { limits } from "@hopwise/contracts";
import { createApiKey, type IssuedApiKey, revokeApiKey } from "../../auth/api-keys.ts";
import { requireRole, visible } from "../../auth/viewer.ts";
import { builder } from "../base/builder.ts";
import { costs, listCost } from "../base/costs.ts";
import { ApiKeyType } from "./account.ts";
import { RoleEnum } from "./enums.ts";

const ApiKeyInput = builder.inputType("ApiKeyInput", {
  fields: (t) => ({
    name: t.string({ required: true }),
    role: t.field({ type: RoleEnum, required: true }),
    project: t.id({ description: "Binds the key to one project" }),
    expiresInDays: t.int({ description: "Left out: it does not expire" }),
  }),
});

const NewApiKey = builder.objectRef<IssuedApiKey>("NewApiKey").implement({
  fields: (t) => ({
    key: t.field({ type: ApiKeyType, resolve: (issued) => issued.key }),
    secret: t.exposeString("secret", { description: "Shown this once: only its hash is stored" }),
  }),
});

builder.queryFields((t) => ({
  apiKeys: t.prismaField({
    type: ["ApiKey"],
    complexity: listCost(limits.listLength),
    resolve: (query, _root, _args, { services, viewer }) => {
      requireRole(viewer, "ADMIN");
      return services.prisma.apiKey.findMany({
        ...query,
        where: { ...visible(viewer), revokedAt: null },
        orderBy: { createdAt: "desc" },
        take: limits.listLength,
      });
    },
  }),
}));

builder.mutationFields((t) => ({
  createApiKey: t.field({
    type: NewApiKey,
    complexity: costs.mutation,
    args: { input: t.arg({ type: ApiKeyInput, required: true }) },
    resolve: (_root, { input }, { services, viewer }) => createApiKey(services, viewer, input),
  }),
  revokeApiKey: t.boolean({
    complexity: costs.mutation,
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, { services, viewer }) => {
      await revokeApiKey(services, viewer, id);
      return true;
    },
  }),
}));
