import { limits } from "@hopwise/contracts";
import type { Env } from "../env.ts";
import type { PrismaClient } from "../generated/prisma/client.ts";
import type { Logger } from "../logger.ts";
import { AddressGuard } from "../requests/address-guard.ts";
import { serviceSecret } from "../store/service-secret.ts";
import { Mailer } from "./mail/mailer.ts";
import { WebhookSender } from "./webhook-sender.ts";

/** What requests about webhooks work with. */
export interface WebhookParts {
  readonly sender: WebhookSender;
  readonly guard: AddressGuard;
  /** Sends e-mail; null: the operator has named no server. */
  readonly mailer: Mailer | null;
  readonly publicUrl: string;
}

/** @param env where links lead, and which private networks the operator allows */
export async function openWebhooks(prisma: PrismaClient, env: Env, log: Logger): Promise<WebhookParts> {
  const guard = new AddressGuard(env.webhooks.networks, "HOPWISE_WEBHOOK_NETWORKS");
  const secret = await serviceSecret(prisma, "webhooks");
  const { publicUrl } = env.server;
  const timeoutMs = limits.webhookSeconds * 1000;
  const mailer = env.mail && new Mailer({ ...env.mail, publicUrl, timeoutMs });
  const sender = new WebhookSender({ prisma, log, guard, secret, mailer });
  return { sender, guard, mailer, publicUrl };
}
