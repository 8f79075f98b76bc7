import { limits, newSourceCredential, type sourceCredentialKinds } from "@hopwise/contracts";
import type { SourceCredential } from "../../generated/prisma/client.ts";
import {
  createSourceCredential,
  deleteSourceCredential,
  listSourceCredentials,
  shapeOf,
} from "../../imports/source-credentials.ts";
import { builder } from "../base/builder.ts";
import { contractInput } from "../base/contract-input.ts";
import { costs, listCost, nestedListCost } from "../base/costs.ts";

const KindEnum = builder.enumType("SourceCredentialKind", {
  values: {
    BEARER: { value: "bearer", description: "Sent as Authorization: Bearer <secret>" },
    BASIC: { value: "basic", description: "The secret is user:password, sent as Authorization: Basic" },
    HEADER: { value: "header", description: "The secret is a whole header, Name: value" },
    S3: {
      value: "s3",
      description: "Requests are signed for S3; the secret is <access key id>:<secret access key>",
    },
    DATABASE: {
      value: "database",
      description: "The secret is user:password, with which PostgreSQL or MySQL is signed in to, to read",
    },
    DATABASE_WRITE: {
      value: "databaseWrite",
      description: "The secret is user:password, with which results are written back into PostgreSQL",
    },
  } as const satisfies Record<string, { value: (typeof sourceCredentialKinds)[number]; description: string }>,
});

const SourceCredentialType = builder.objectRef<SourceCredential>("SourceCredential").implement({
  fields: (t) => ({
    id: t.exposeID("id"),
    name: t.exposeString("name"),
    kind: t.field({ type: KindEnum, resolve: (row) => shapeOf(row).kind }),
    hosts: t.field({
      type: ["String"],
      complexity: nestedListCost(20),
      resolve: (row) => shapeOf(row).hosts,
    }),
    projectId: t.exposeID("projectId"),
    createdBy: t.exposeString("createdBy"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
  }),
});

const NewSourceCredentialInput = builder.inputType("NewSourceCredentialInput", {
  fields: (t) => ({
    name: t.string({ required: true }),
    kind: t.field({ type: KindEnum, required: true }),
    hosts: t.stringList({
      required: true,
      description: "Where it may be sent: host, host:port, or *.example.com for all below; nowhere else",
    }),
    secret: t.string({ required: true, description: "It is stored encrypted, and never shown again" }),
    project: t.id(),
  }),
});

builder.queryFields((t) => ({
  sourceCredentials: t.field({
    type: [SourceCredentialType],
    description: "The credentials that imports may send to sources, without their secrets",
    complexity: listCost(limits.listLength),
    args: { project: t.arg.id() },
    resolve: async (_root, { project }, { services, viewer }) => [
      ...(await listSourceCredentials(services, viewer, project)),
    ],
  }),
}));

builder.mutationFields((t) => ({
  createSourceCredential: t.field({
    type: SourceCredentialType,
    complexity: costs.mutation,
    description: "Stores a credential for sources, encrypted",
    args: { input: t.arg({ type: NewSourceCredentialInput, required: true }) },
    resolve: (_root, { input }, { services, viewer }) =>
      createSourceCredential(services, viewer, contractInput(newSourceCredential, input)),
  }),
  deleteSourceCredential: t.boolean({
    complexity: costs.mutation,
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, { services, viewer }) => {
      await deleteSourceCredential(services, viewer, id);
      return true;
    },
  }),
}));
