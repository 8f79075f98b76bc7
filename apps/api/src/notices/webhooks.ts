import { AppError, limits, type NoticeEvent } from "@hopwise/contracts";
import { notFound, requireRole, type Viewer, visible } from "../auth/viewer.ts";
import { newId } from "../database/ids.ts";
import type { Webhook, WebhookDelivery } from "../generated/prisma/client.ts";
import { ForbiddenAddress } from "../requests/address-guard.ts";
import type { Services } from "../services.ts";
import { deliveryBody } from "./delivery-body.ts";
import { isMailAddress, mailAddressOf } from "./mail/mail-address.ts";
import type { Mailer } from "./mail/mailer.ts";
import { dropOldDeliveries } from "./notice-teller.ts";

export interface WebhookRequest {
  readonly name: string;
  readonly url: string;
  readonly events: readonly NoticeEvent[];
  readonly project?: string | null | undefined;
}

export interface IssuedWebhook {
  readonly webhook: Webhook;
  /** Shown once; it is derived anew for each delivery. Null: e-mail is not signed. */
  readonly secret: string | null;
}

/**
 * A new webhook, as an admin. An admin bound to a project can only make webhooks of that project.
 *
 * @throws AppError AUTH_FORBIDDEN, REQUEST_INVALID, REQUEST_CONFLICT when there are too many, MAIL_NOT_CONFIGURED
 */
export async function createWebhook(
  services: Pick<Services, "prisma" | "webhooks">,
  viewer: Viewer,
  { name, url, events, project }: WebhookRequest,
): Promise<IssuedWebhook> {
  requireRole(viewer, "ADMIN");
  const { prisma, webhooks } = services;
  const projectId = viewer.projectId ?? project ?? null;
  if (project && project !== projectId) throw notFound("project", project);
  if (projectId !== null && !(await prisma.project.findUnique({ where: { id: projectId } })))
    throw notFound("project", projectId);
  if (name.trim() === "") throw invalid("/name", "The webhook needs a name.");
  if (events.length === 0) throw invalid("/events", "The webhook needs at least one event.");
  checkUrl(services, url);
  if ((await prisma.webhook.count()) >= limits.webhooks)
    throw new AppError("REQUEST_CONFLICT", `There are ${limits.webhooks} webhooks already; remove one first.`);
  const webhook = await prisma.webhook.create({
    data: {
      id: newId("webhook"),
      projectId,
      name: name.trim(),
      url,
      events: [...new Set(events)],
      createdBy: viewer.userId,
    },
  });
  return { webhook, secret: mailAddressOf(url) === null ? webhooks.sender.secretOf(webhook.id) : null };
}

export async function listWebhooks({ prisma }: Pick<Services, "prisma">, viewer: Viewer): Promise<readonly Webhook[]> {
  requireRole(viewer, "ADMIN");
  return prisma.webhook.findMany({ where: visible(viewer), orderBy: { createdAt: "desc" }, take: limits.webhooks });
}

/** Nothing more is sent to it. */
export async function deleteWebhook(services: Pick<Services, "prisma">, viewer: Viewer, id: string): Promise<void> {
  const webhook = await getWebhook(services, viewer, id);
  await services.prisma.webhook.deleteMany({ where: { id: webhook.id } });
}

/** Sends a test event at once; when it cannot be delivered it is tried again like any other. */
export async function testWebhook(
  services: Pick<Services, "prisma" | "webhooks">,
  viewer: Viewer,
  webhookId: string,
): Promise<WebhookDelivery> {
  const webhook = await getWebhook(services, viewer, webhookId);
  const { prisma, webhooks } = services;
  const id = newId("delivery");
  const at = new Date();
  const what = mailAddressOf(webhook.url) === null ? "webhook" : "subscription";
  const message = `This is a test of the ${what} “${webhook.name}”, sent by ${viewer.name}.`;
  const body = deliveryBody(id, { event: "test", message, at, job: null }, webhooks.publicUrl);
  const delivery = await prisma.$transaction(async (tx) => {
    const made = await tx.webhookDelivery.create({ data: { id, webhookId, event: "test", body, dueAt: at } });
    await dropOldDeliveries(tx, webhookId);
    return made;
  });
  // When another process was faster, it stands in the log what came of it.
  return (await webhooks.sender.attempt({ ...delivery, webhook })) ?? delivery;
}

/** The newest first. */
export async function listDeliveries(
  services: Pick<Services, "prisma">,
  viewer: Viewer,
  webhookId: string,
): Promise<readonly WebhookDelivery[]> {
  await getWebhook(services, viewer, webhookId);
  const orderBy = [{ createdAt: "desc" }, { id: "desc" }] as const;
  return services.prisma.webhookDelivery.findMany({
    where: { webhookId },
    orderBy: [...orderBy],
    take: limits.webhookDeliveries,
  });
}

async function getWebhook({ prisma }: Pick<Services, "prisma">, viewer: Viewer, id: string): Promise<Webhook> {
  requireRole(viewer, "ADMIN");
  const webhook = await prisma.webhook.findFirst({ where: { id, ...visible(viewer) } });
  if (!webhook) throw notFound("webhook", id);
  return webhook;
}

function checkUrl({ webhooks }: Pick<Services, "webhooks">, text: string): void {
  const address = mailAddressOf(text);
  if (address !== null) return checkMail(webhooks.mailer, address);
  if (!URL.canParse(text) || text.length > 2000)
    throw invalid("/url", "The address is no URL; expected one like https://example.com/hooks/hopwise.");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw invalid("/url", `The address begins with ${url.protocol}, expected https: or http:.`);
  if (url.username !== "" || url.password !== "")
    throw invalid("/url", "The address has a user or password in it; what is sent is signed instead.");
  try {
    webhooks.guard.checkLiteral(url);
  } catch (error) {
    throw error instanceof ForbiddenAddress ? invalid("/url", error.message) : error;
  }
}

function checkMail(mailer: Mailer | null, address: string): void {
  if (mailer === null)
    throw new AppError(
      "MAIL_NOT_CONFIGURED",
      "This service has no server for e-mail; set HOPWISE_SMTP_URL and HOPWISE_MAIL_FROM of the API (docs/guides/notifications.md) and start it again.",
    );
  if (!isMailAddress(address))
    throw invalid(
      "/url",
      `Found "${address.slice(0, 60)}" after mailto:, expected one plain address like somebody@example.com, without a name or parameters.`,
    );
}

function invalid(pointer: string, message: string): AppError {
  return new AppError("REQUEST_INVALID", message, { place: { pointer } });
}
