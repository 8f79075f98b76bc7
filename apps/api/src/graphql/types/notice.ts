import { limits, type NoticeEvent } from "@hopwise/contracts";
import type { Webhook, WebhookDelivery } from "../../generated/prisma/client.ts";
import { DeliveryState } from "../../generated/prisma/enums.ts";
import { listNotices, type NoticeList, readNotices, type ToldNotice } from "../../notices/notices.ts";
import {
  createWebhook,
  deleteWebhook,
  type IssuedWebhook,
  listDeliveries,
  listWebhooks,
  testWebhook,
} from "../../notices/webhooks.ts";
import { builder } from "../base/builder.ts";
import { costs, listCost } from "../base/costs.ts";

const NoticeEventEnum = builder.enumType("NoticeEvent", {
  values: {
    DONE: { value: "done", description: "The job has succeeded, or the sweep has ended" },
    FAILED: {
      value: "failed",
      description: "The job has failed, or the sweep has ended and none of its jobs succeeded",
    },
    STALLED: { value: "stalled", description: "A rank of the job stands still" },
    BEST: { value: "best", description: "No earlier job on its dataset has as good a result" },
  } as const,
});

const NoticeType = builder.objectRef<ToldNotice>("Notice").implement({
  fields: (t) => ({
    number: t.exposeInt("number", { description: "Counts 1, 2, 3 … over all projects" }),
    event: t.field({ type: NoticeEventEnum, resolve: ({ event }) => event as NoticeEvent }),
    message: t.exposeString("message"),
    projectId: t.exposeID("projectId"),
    jobId: t.exposeID("jobId", { nullable: true, description: "Null: it is about the sweep as a whole" }),
    sweepId: t.exposeID("sweepId", { nullable: true, description: "The sweep that has ended" }),
    at: t.expose("at", { type: "DateTime" }),
    isRead: t.exposeBoolean("isRead"),
  }),
});

const NoticesType = builder.objectRef<NoticeList>("Notices").implement({
  fields: (t) => ({
    items: t.field({
      type: [NoticeType],
      description: "The newest first",
      complexity: { multiplier: 1 },
      resolve: ({ items }) => [...items],
    }),
    unread: t.exposeInt("unread", { description: "How many of all that are kept this user has not read" }),
  }),
});

const DeliveryType = builder.objectRef<WebhookDelivery>("WebhookDelivery").implement({
  fields: (t) => ({
    id: t.exposeID("id"),
    event: t.exposeString("event", { description: "Event of a notice in small letters, or test" }),
    state: t.field({
      type: builder.enumType(DeliveryState, { name: "DeliveryState" }),
      description: "PENDING: it has not been tried, or is tried again at dueAt",
      resolve: ({ state }) => state,
    }),
    attempts: t.exposeInt("attempts"),
    status: t.exposeInt("status", {
      nullable: true,
      description: "HTTP status of the last answer, or reply code of SMTP; null: there was none",
    }),
    error: t.exposeString("error", { nullable: true, description: "What went wrong in the last attempt" }),
    durationMs: t.exposeInt("durationMs", { nullable: true, description: "Duration of the last attempt" }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    attemptedAt: t.expose("attemptedAt", { type: "DateTime", nullable: true }),
    dueAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When it is tried next; null: it is not tried again",
      resolve: ({ state, dueAt }) => (state === "PENDING" ? dueAt : null),
    }),
  }),
});

const WebhookType = builder.objectRef<Webhook>("Webhook").implement({
  fields: (t) => ({
    id: t.exposeID("id"),
    name: t.exposeString("name"),
    url: t.exposeString("url"),
    events: t.field({ type: [NoticeEventEnum], resolve: ({ events }) => events as NoticeEvent[] }),
    projectId: t.exposeID("projectId", { nullable: true, description: "Set: it is told of this project's jobs only" }),
    createdBy: t.exposeString("createdBy"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
  }),
});

const NewWebhookType = builder.objectRef<IssuedWebhook>("NewWebhook").implement({
  fields: (t) => ({
    webhook: t.field({ type: WebhookType, resolve: (issued) => issued.webhook }),
    secret: t.exposeString("secret", {
      nullable: true,
      description: "Signs what the webhook is sent; shown this once. Null: it is sent e-mail",
    }),
  }),
});

const WebhookInput = builder.inputType("WebhookInput", {
  fields: (t) => ({
    name: t.string({ required: true }),
    url: t.string({
      required: true,
      description:
        "http or https, where addresses of private networks need HOPWISE_WEBHOOK_NETWORKS; " +
        "or mailto:somebody@example.com, where the service sends e-mail (mailFrom)",
    }),
    events: t.field({ type: [NoticeEventEnum], required: true }),
    project: t.id({ description: "Tells it of this project's jobs only" }),
  }),
});

builder.queryFields((t) => ({
  notices: t.field({
    type: NoticesType,
    description: "The newest notices about jobs, and how many are unread",
    args: { first: t.arg.int({ defaultValue: 30 }) },
    complexity: ({ first }) => ({
      field: 2 * costs.query + Math.min(first ?? 30, 100) * costs.row,
      multiplier: Math.min(first ?? 30, 100),
    }),
    resolve: (_root, { first }, { services, viewer }) => listNotices(services, viewer, first ?? 30),
  }),
  webhooks: t.field({
    type: [WebhookType],
    complexity: listCost(limits.webhooks),
    resolve: async (_root, _args, { services, viewer }) => [...(await listWebhooks(services, viewer))],
  }),
  mailFrom: t.string({
    nullable: true,
    description: "Where e-mail comes from; null: this service sends none",
    resolve: (_root, _args, { services }) => services.webhooks.mailer?.from ?? null,
  }),
  webhookDeliveries: t.field({
    type: [DeliveryType],
    description: "What was sent to a webhook, the newest first",
    complexity: listCost(limits.webhookDeliveries),
    args: { webhook: t.arg.id({ required: true }) },
    resolve: async (_root, { webhook }, { services, viewer }) => [...(await listDeliveries(services, viewer, webhook))],
  }),
}));

builder.mutationFields((t) => ({
  readNotices: t.field({
    type: NoticesType,
    complexity: costs.mutation,
    description: "Marks notices as read, for the user who asks",
    args: { upTo: t.arg.int({ required: true, description: "The number of the newest notice that was read" }) },
    resolve: (_root, { upTo }, { services, viewer }) => readNotices(services, viewer, upTo),
  }),
  createWebhook: t.field({
    type: NewWebhookType,
    complexity: costs.mutation,
    args: { input: t.arg({ type: WebhookInput, required: true }) },
    resolve: (_root, { input }, { services, viewer }) => createWebhook(services, viewer, input),
  }),
  deleteWebhook: t.boolean({
    complexity: costs.mutation,
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, { services, viewer }) => {
      await deleteWebhook(services, viewer, id);
      return true;
    },
  }),
  testWebhook: t.field({
    type: DeliveryType,
    complexity: costs.mutation,
    description: "Sends a test event at once, and answers with what came of it",
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, { services, viewer }) => testWebhook(services, viewer, id),
  }),
}));
