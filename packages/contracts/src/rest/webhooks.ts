import { z } from "zod";
import { noticeEvent } from "./notices.ts";
import { route } from "./route.ts";
import { count, idParams, isoTime, listOf } from "./shapes.ts";

export const webhookAnswer = z
  .object({
    id: z.string(),
    name: z.string(),
    url: z.string(),
    events: z.array(noticeEvent),
    projectId: z.string().nullable().describe("Set: it is told of this project's jobs only"),
    createdBy: z.string(),
    createdAt: isoTime,
  })
  .meta({ id: "Webhook" });
export type WebhookAnswer = z.infer<typeof webhookAnswer>;

export const deliveryState = z.enum(["PENDING", "DELIVERED", "FAILED"]);

export const webhookDeliveryAnswer = z
  .object({
    id: z.string(),
    event: z.string().describe("Of a notice, or test"),
    state: deliveryState.describe("PENDING: it has not been tried, or is tried again at dueAt"),
    attempts: count,
    status: z.number().int().nullable().describe("HTTP status of the last answer; null: there was none"),
    error: z.string().nullable().describe("What went wrong in the last attempt"),
    durationMs: z.number().int().nullable().describe("Of the last attempt"),
    createdAt: isoTime,
    attemptedAt: isoTime.nullable(),
    dueAt: isoTime.nullable().describe("When it is tried next; null: it is not tried again"),
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDeliveryAnswer = z.infer<typeof webhookDeliveryAnswer>;

export const newWebhook = z
  .strictObject({
    name: z.string().min(1).max(120),
    url: z.string().max(2000).describe("http or https; addresses of private networks need HOPWISE_WEBHOOK_NETWORKS"),
    events: z.array(noticeEvent).min(1).max(4),
    project: z.string().optional().describe("Tells it of this project's jobs only"),
  })
  .meta({ id: "WebhookRequest" });
export type NewWebhook = z.infer<typeof newWebhook>;

const tag = "notifications";

export const webhookRoutes = {
  listWebhooks: route({
    method: "GET",
    path: "/v1/webhooks",
    tag,
    summary: "The webhooks, without their secrets",
    answers: { 200: listOf(webhookAnswer) },
  }),
  createWebhook: route({
    method: "POST",
    path: "/v1/webhooks",
    tag,
    summary: "Adds a webhook; the secret that signs what it is sent is shown this once",
    body: newWebhook,
    answers: { 201: webhookAnswer.extend({ secret: z.string() }).meta({ id: "NewWebhook" }) },
    problems: ["REQUEST_NOT_FOUND", "REQUEST_CONFLICT"],
  }),
  deleteWebhook: route({
    method: "DELETE",
    path: "/v1/webhooks/:id",
    tag,
    summary: "Removes a webhook with its log; nothing more is sent to it",
    params: idParams,
    answers: { 204: { description: "It is removed" } },
  }),
  testWebhook: route({
    method: "POST",
    path: "/v1/webhooks/:id/test",
    tag,
    summary: "Sends a test event at once, and answers with what came of it",
    params: idParams,
    answers: { 200: webhookDeliveryAnswer },
  }),
  listWebhookDeliveries: route({
    method: "GET",
    path: "/v1/webhooks/:id/deliveries",
    tag,
    summary: "What was sent to a webhook, the newest first",
    params: idParams,
    answers: { 200: listOf(webhookDeliveryAnswer) },
  }),
};
