import { limits } from "@hopwise/contracts";
import type { PrismaClient, Webhook, WebhookDelivery } from "../generated/prisma/client.ts";
import type { Logger } from "../logger.ts";
import type { AddressGuard } from "../requests/address-guard.ts";
import { guardedPost } from "./guarded-post.ts";
import { mailAddressOf } from "./mail/mail-address.ts";
import type { Mailer } from "./mail/mailer.ts";
import { signatureOf, webhookSecret } from "./webhook-secret.ts";

export interface WebhookSenderOptions {
  readonly prisma: PrismaClient;
  readonly log: Pick<Logger, "warn">;
  readonly guard: AddressGuard;
  /** Secrets of webhooks are derived from it. */
  readonly secret: string;
  /** For subscriptions by e-mail; null or left out: none is sent. */
  readonly mailer?: Mailer | null;
  /** Until the second attempt; each further one waits four times as long. */
  readonly firstRetryMs?: number;
  readonly timeoutMs?: number;
}

type Due = WebhookDelivery & { readonly webhook: Webhook };

const hourMs = 3_600_000;
const longestRetryMs = 6 * hourMs;
/** How long a message waits that is one too many. */
const mailPauseMs = 600_000;
/** Webhooks that are sent to at once: a slow one holds up nobody but itself. */
const mostAtOnce = 8;

/**
 * Sends what is due. An attempt is written down before it is made: one that a kill cut off is made up for when its time
 * has passed, so a receiver may see a delivery twice, by one id, and misses none within the limit of attempts.
 */
export class WebhookSender {
  readonly #options: Required<WebhookSenderOptions>;
  readonly #stop = new AbortController();

  constructor(options: WebhookSenderOptions) {
    this.#options = { mailer: null, firstRetryMs: 10_000, timeoutMs: limits.webhookSeconds * 1000, ...options };
  }

  secretOf(webhookId: string): string {
    return webhookSecret(this.#options.secret, webhookId);
  }

  /** Ends what is being sent; it is sent again later. */
  stop(): void {
    this.#stop.abort();
  }

  /** Tries the oldest due delivery of each of a few webhooks. @returns how many were tried */
  async sendDue(now = new Date()): Promise<number> {
    const { prisma } = this.#options;
    const due = await prisma.webhookDelivery.findMany({
      where: { state: "PENDING", dueAt: { lte: now } },
      orderBy: [{ dueAt: "asc" }, { id: "asc" }],
      distinct: ["webhookId"],
      take: mostAtOnce,
      include: { webhook: true },
    });
    await Promise.all(due.map((delivery) => this.attempt(delivery)));
    return due.length;
  }

  /** Sends a delivery once, unless another process is at it; null then. */
  async attempt(delivery: Due): Promise<WebhookDelivery | null> {
    const { prisma, firstRetryMs, timeoutMs } = this.#options;
    if (await this.#hasToWait(delivery)) return prisma.webhookDelivery.findUnique({ where: { id: delivery.id } });
    const attempts = delivery.attempts + 1;
    const attemptedAt = new Date();
    const { count } = await prisma.webhookDelivery.updateMany({
      where: { id: delivery.id, state: "PENDING", attempts: delivery.attempts },
      data: { attempts, attemptedAt, dueAt: new Date(attemptedAt.getTime() + timeoutMs + firstRetryMs) },
    });
    if (count === 0) return null;
    const { status, error, isFinal = false } = await this.#send(delivery, attemptedAt);
    if (this.#stop.signal.aborted) return null;
    const isOver = error === null || isFinal || attempts >= limits.webhookAttempts;
    const waitMs = Math.min(firstRetryMs * 4 ** (attempts - 1), longestRetryMs);
    const outcome = {
      status,
      error,
      durationMs: Date.now() - attemptedAt.getTime(),
      state: error === null ? ("DELIVERED" as const) : isOver ? ("FAILED" as const) : ("PENDING" as const),
      dueAt: new Date(Date.now() + waitMs),
    };
    const where = { id: delivery.id };
    await prisma.webhookDelivery.updateMany({ where, data: outcome }); // none when it was removed meanwhile
    return prisma.webhookDelivery.findUnique({ where });
  }

  /** Puts off a message to whom many were sent in the last hour: a person reads them. */
  async #hasToWait({ id, webhookId, webhook }: Due): Promise<boolean> {
    if (mailAddressOf(webhook.url) === null) return false;
    const { prisma } = this.#options;
    const since = new Date(Date.now() - hourMs);
    const tried = { webhookId, id: { not: id }, attemptedAt: { gt: since } };
    if ((await prisma.webhookDelivery.count({ where: tried })) < limits.mailsPerHour) return false;
    const error = `${limits.mailsPerHour} e-mails were sent to it within an hour; this one waits.`;
    const data = { error, dueAt: new Date(Date.now() + mailPauseMs) };
    await prisma.webhookDelivery.updateMany({ where: { id, state: "PENDING" }, data });
    return true;
  }

  async #send(due: Due, at: Date): Promise<Outcome> {
    const { guard, timeoutMs, log } = this.#options;
    const { id, event, body, webhook } = due;
    const to = mailAddressOf(webhook.url);
    if (to !== null) return this.#sendMail(due, to);
    const timestamp = Math.floor(at.getTime() / 1000);
    const headers = {
      "user-agent": "Hopwise",
      "hopwise-event": event,
      "hopwise-delivery": id,
      "hopwise-signature": signatureOf(this.secretOf(webhook.id), timestamp, body),
    };
    try {
      const request = { url: webhook.url, headers, body, guard, timeoutMs, signal: this.#stop.signal };
      const status = await guardedPost(request);
      return { status, error: status >= 200 && status < 300 ? null : objectionTo(status) };
    } catch (err) {
      log.warn({ err, webhookId: webhook.id }, "a webhook could not be reached");
      return { status: null, error: err instanceof Error ? err.message.slice(0, 500) : "It could not be reached." };
    }
  }

  async #sendMail({ id, body, webhook }: Due, to: string): Promise<Outcome> {
    const { mailer, log } = this.#options;
    if (mailer === null)
      return { status: null, error: "This service sends no e-mail now: HOPWISE_SMTP_URL of the API is not set." };
    const outcome = await mailer.send({ to, id, name: webhook.name, body, signal: this.#stop.signal });
    if (outcome.error !== null) log.warn({ why: outcome.error, webhookId: webhook.id }, "an e-mail was not sent");
    return outcome;
  }
}

interface Outcome {
  readonly status: number | null;
  /** Null: it was taken. */
  readonly error: string | null;
  /** Another attempt would end alike. */
  readonly isFinal?: boolean;
}

function objectionTo(status: number): string {
  if (status >= 300 && status < 400) return `It answered ${status}; redirects are not followed, name the last address.`;
  return `It answered ${status}; expected 200 to 299.`;
}
