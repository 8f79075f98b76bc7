import type { Env } from "../env.ts";
import type { PrismaClient } from "../generated/prisma/client.ts";
import type { Logger } from "../logger.ts";
import { serviceSecret } from "../store/service-secret.ts";
import { AddressGuard } from "./address-guard.ts";
import { WebhookSender } from "./webhook-sender.ts";

/** What requests about webhooks work with. */
export interface WebhookParts {
  readonly sender: WebhookSender;
  readonly guard: AddressGuard;
  readonly publicUrl: string;
}

/** @param env where links lead, and which private networks the operator allows */
export async function openWebhooks(prisma: PrismaClient, env: Env, log: Logger): Promise<WebhookParts> {
  const guard = new AddressGuard(env.webhooks.networks);
  const secret = await serviceSecret(prisma, "webhooks");
  const sender = new WebhookSender({ prisma, log, guard, secret });
  return { sender, guard, publicUrl: env.server.publicUrl };
}
