import { createHmac } from "node:crypto";

/**
 * The secret that a webhook's deliveries are signed with: derived from its id (80 random bits) and a secret of the
 * service, so that it is kept nowhere and every process of the API has it.
 */
export function webhookSecret(serviceSecret: string, webhookId: string): string {
  return `whk_${createHmac("sha256", serviceSecret).update(`webhook:${webhookId}`).digest("base64url")}`;
}

/**
 * `t=<seconds>,v1=<HMAC-SHA256 of "<seconds>.<body>" in hex>`: the time is signed with the body, so that what was
 * overheard cannot be sent again much later.
 */
export function signatureOf(secret: string, timestamp: number, body: string): string {
  const digest = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  return `t=${timestamp},v1=${digest}`;
}
