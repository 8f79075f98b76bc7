import { noticeRoutes, webhookRoutes } from "@hopwise/contracts";
import type { FastifyInstance } from "fastify";
import { listNotices, readNotices } from "../../notices/notices.ts";
import { createWebhook, deleteWebhook, listDeliveries, listWebhooks, testWebhook } from "../../notices/webhooks.ts";
import { viewerOf } from "../../plugins/auth.ts";
import { presentDelivery, presentNotices, presentWebhook } from "../../rest/present/present-notices.ts";
import { serve } from "../../rest/serve.ts";
import type { Services } from "../../services.ts";

/** What people are told about jobs, on the page and by webhooks. */
export async function noticeAndWebhookRoutes(app: FastifyInstance, services: Services): Promise<void> {
  serve(app, noticeRoutes.listNotices, async (request) =>
    presentNotices(await listNotices(services, viewerOf(request), request.query.first)),
  );
  serve(app, noticeRoutes.readNotices, async (request) =>
    presentNotices(await readNotices(services, viewerOf(request), request.body.upTo)),
  );
  serve(app, webhookRoutes.listWebhooks, async (request) => ({
    items: (await listWebhooks(services, viewerOf(request))).map(presentWebhook),
    mailFrom: services.webhooks.mailer?.from ?? null,
  }));
  serve(app, webhookRoutes.createWebhook, async (request) => {
    const { webhook, secret } = await createWebhook(services, viewerOf(request), request.body);
    return { ...presentWebhook(webhook), secret };
  });
  serve(app, webhookRoutes.deleteWebhook, async (request) =>
    deleteWebhook(services, viewerOf(request), request.params.id),
  );
  serve(
    app,
    webhookRoutes.testWebhook,
    async (request) => presentDelivery(await testWebhook(services, viewerOf(request), request.params.id)),
    { config: { costly: true } },
  );
  serve(app, webhookRoutes.listWebhookDeliveries, async (request) => ({
    items: (await listDeliveries(services, viewerOf(request), request.params.id)).map(presentDelivery),
  }));
}
