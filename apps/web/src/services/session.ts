import { ProblemError } from "@hopwise/client";
import { api } from "./api.ts";

/**
 * The one-time token in what was pasted: a sign-in link, or the token alone.
 * @throws ProblemError for an API key, which has its own role and project and opens no session
 */
export function tokenOf(text: string): string {
  const trimmed = text.trim();
  if (trimmed.startsWith("hw_")) {
    throw new ProblemError({
      code: "AUTH_INVALID",
      title: "This is an API key",
      detail: "Keys are for scripts: send one as “Authorization: Bearer …”. To sign in here, paste the sign-in link.",
    });
  }
  const inLink = /[?&]token=([^&\s]+)/.exec(trimmed)?.[1];
  return inLink === undefined ? trimmed : decodeURIComponent(inLink);
}

/**
 * Exchanges a one-time token for the session's cookie.
 * @throws ProblemError AUTH_INVALID when it is unknown, used or expired
 */
export async function openSession(text: string): Promise<void> {
  await api.call("POST /v1/session", { body: { token: tokenOf(text) } });
}
