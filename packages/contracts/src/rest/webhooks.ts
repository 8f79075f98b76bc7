import { z } from "zod";
import { noticeEvent } from "./notices.ts";
import { route } from "./route.ts";
import { count, idParams, isoTime, listOf } from "./shapes.ts";

export const webhookAnswer = z
  .object({
    id: z.string(),
    name: z.string(),
    url: z.string().describe("An http or https address, or mailto: with an address that is sent e-mail"),
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
    event: z.string().describe("Event of a notice, or test"),
    state: deliveryState.describe("PENDING: it has not been tried, or is tried again at dueAt"),
    attempts: count,
    status: z
      .number()
      .int()
      .nullable()
      .describe("HTTP status of the last answer, or reply code of SMTP; null: there was none"),
    error: z.string().nullable().describe("What went wrong in the last attempt"),
    durationMs: z.number().int().nullable().describe("Duration of the last attempt"),
    createdAt: isoTime,
    attemptedAt: isoTime.nullable(),
    dueAt: isoTime.nullable().describe("When it is tried next; null: it is not tried again"),
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDeliveryAnswer = z.infer<typeof webhookDeliveryAnswer>;

export const newWebhook = z
  .strictObject({
    name: z.string().min(1).max(120),
    url: z
      .string()
      .max(2000)
      .describe(
        "http or https, where addresses of private networks need HOPWISE_WEBHOOK_NETWORKS; or mailto:somebody@example.com, where the service sends e-mail (mailFrom)",
      ),
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
    summary: "The webhooks and subscriptions by e-mail, without secrets",
    answers: {
      200: listOf(webhookAnswer)
        .extend({
          mailFrom: z.string().nullable().describe("Where e-mail comes from; null: this service sends none"),
        })
        .meta({ id: "Webhooks" }),
    },
  }),
  createWebhook: route({
    method: "POST",
    path: "/v1/webhooks",
    tag,
    summary: "Adds a webhook, whose secret is shown this once, or a subscription by e-mail",
    body: newWebhook,
    answers: {
      201: webhookAnswer
        .extend({ secret: z.string().nullable().describe("Signs what a webhook is sent; null: it is sent e-mail") })
        .meta({ id: "NewWebhook" }),
    },
    problems: ["REQUEST_NOT_FOUND", "REQUEST_CONFLICT", "MAIL_NOT_CONFIGURED"],
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
