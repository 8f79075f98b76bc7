import { limits, type WorkerAccessAnswer, workerUserName } from "@hopwise/contracts";
import type { WorkerCredential } from "../../generated/prisma/client.ts";
import { workerAccess } from "../../workers/worker-access.ts";
import {
  createWorkerCredential,
  type IssuedWorkerCredential,
  listWorkerCredentials,
  revokeWorkerCredential,
} from "../../workers/worker-credentials.ts";
import { builder } from "../base/builder.ts";
import { costs, listCost } from "../base/costs.ts";

const WorkerCredentialType = builder.objectRef<WorkerCredential>("WorkerCredential").implement({
  fields: (t) => ({
    workerId: t.exposeID("workerId"),
    user: t.string({
      resolve: ({ workerId }) => workerUserName(workerId),
      description:
        "Its user of Redis, which may use its own queue, announcement and leases, and what all workers share",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
  }),
});

const NewWorkerCredential = builder.objectRef<IssuedWorkerCredential>("NewWorkerCredential").implement({
  fields: (t) => ({
    credential: t.field({ type: WorkerCredentialType, resolve: (issued) => issued.credential }),
    password: t.exposeString("password", { description: "Shown this once: only its hash is stored" }),
    warning: t.exposeString("warning", {
      nullable: true,
      description: "Why the credential is of no use, or keeps nobody out, as Redis is set up now",
    }),
  }),
});

const WorkerAccessType = builder.objectRef<WorkerAccessAnswer>("WorkerAccess").implement({
  fields: (t) => ({
    possible: t.exposeBoolean("possible", {
      description: "Whether a worker on another host could reach this service's Redis",
    }),
    reason: t.exposeString("reason", { nullable: true, description: "Why it could not, and what to do" }),
    warning: t.exposeString("warning", {
      nullable: true,
      description: "What to set right before one is let in; null: nothing",
    }),
  }),
});

builder.queryFields((t) => ({
  workerAccess: t.field({
    type: WorkerAccessType,
    complexity: costs.query,
    resolve: (_root, _args, { services, viewer }) => workerAccess(services, viewer),
  }),
  workerCredentials: t.field({
    type: [WorkerCredentialType],
    complexity: listCost(limits.listLength),
    resolve: (_root, _args, { services, viewer }) => listWorkerCredentials(services, viewer),
  }),
}));

builder.mutationFields((t) => ({
  createWorkerCredential: t.field({
    type: NewWorkerCredential,
    complexity: costs.mutation,
    args: { workerId: t.arg.id({ required: true }) },
    description: "A worker that has one gets a new password",
    resolve: (_root, { workerId }, { services, viewer }) => createWorkerCredential(services, viewer, workerId),
  }),
  revokeWorkerCredential: t.boolean({
    complexity: costs.mutation,
    args: { workerId: t.arg.id({ required: true }) },
    resolve: async (_root, { workerId }, { services, viewer }) => {
      await revokeWorkerCredential(services, viewer, workerId);
      return true;
    },
  }),
}));
