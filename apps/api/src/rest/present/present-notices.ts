import { type NoticesAnswer, noticeEvent, type WebhookAnswer, type WebhookDeliveryAnswer } from "@hopwise/contracts";
import { z } from "zod";
import type { Webhook, WebhookDelivery } from "../../generated/prisma/client.ts";
import type { NoticeList } from "../../notices/notices.ts";
import { isoOrNull } from "./times.ts";

export function presentNotices({ items, unread }: NoticeList): NoticesAnswer {
  const shown = items.map(({ event, at, ...rest }) => ({
    ...rest,
    event: noticeEvent.parse(event),
    at: at.toISOString(),
  }));
  return { items: shown, unread };
}

const events = z.array(noticeEvent);

export function presentWebhook(webhook: Webhook): WebhookAnswer {
  const { id, name, url, projectId, createdBy, createdAt } = webhook;
  const asked = events.parse(webhook.events);
  return { id, name, url, events: asked, projectId, createdBy, createdAt: createdAt.toISOString() };
}

export function presentDelivery(delivery: WebhookDelivery): WebhookDeliveryAnswer {
  const { id, event, state, attempts, status, error, durationMs, createdAt, attemptedAt, dueAt } = delivery;
  return {
    id,
    event,
    state,
    attempts,
    status,
    error,
    durationMs,
    createdAt: createdAt.toISOString(),
    attemptedAt: isoOrNull(attemptedAt),
    dueAt: state === "PENDING" ? dueAt.toISOString() : null,
  };
}
