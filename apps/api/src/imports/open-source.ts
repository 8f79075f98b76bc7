import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { AppError, limits } from "@hopwise/contracts";
import { type AddressGuard, ForbiddenAddress } from "../requests/address-guard.ts";
import { credentialHeader, mayGoTo, type SourceSecret } from "./credential-header.ts";
import { refused, sourceUrl, unencrypted } from "./source-address.ts";

export interface SourceRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly credential: SourceSecret | null;
  readonly guard: AddressGuard;
  /** Ends the request, and what comes of the answer. */
  readonly signal: AbortSignal;
}

export interface SourceAnswer {
  readonly message: IncomingMessage;
  /** Whether the last of the hosts was sent the credential. */
  readonly isCredentialSent: boolean;
}

/** The source did not answer, or broke off: that may pass. */
export class SourceBroke extends Error {
  override readonly name = "SourceBroke";
  /** What was said of it on the way. */
  readonly said: string;

  constructor(cause: unknown) {
    const found = cause instanceof Error ? cause.message || cause.name : String(cause);
    const said = found.slice(0, 300).replace(/([^.])$/, "$1.");
    super(`The source cannot be reached, or broke off: ${said}`, { cause });
    this.said = said;
  }
}

/**
 * Asks a source for a file, and follows redirects: each is held against what the first address was. A credential goes
 * to its own hosts only, wherever a redirect leads. No proxy is used and no connection kept.
 *
 * @throws AppError IMPORT_ADDRESS; SourceBroke when there is no answer
 */
export async function openSource({ url, credential, guard, ...rest }: SourceRequest): Promise<SourceAnswer> {
  let target = url;
  for (let redirects = 0; redirects <= limits.importRedirects; redirects++) {
    sourceUrl(target.href, guard);
    const isCredentialSent = credential !== null && mayGoTo(credential, target);
    const message = await ask(target, { ...rest, guard, credential: isCredentialSent ? credential : null });
    const { location } = message.headers;
    if (![301, 302, 303, 307, 308].includes(message.statusCode ?? 0) || location === undefined)
      return { message, isCredentialSent };
    message.destroy();
    if (!URL.canParse(location, target.href)) throw refused("The source leads on to something that is no address.");
    target = new URL(location, target.href);
  }
  throw refused(`The source leads on to other addresses more than ${limits.importRedirects} times.`);
}

function ask(
  target: URL,
  { headers, credential, guard, signal }: Omit<SourceRequest, "url">,
): Promise<IncomingMessage> {
  const isPlain = target.protocol === "http:";
  const send = isPlain ? httpRequest : httpsRequest;
  const request = send(target, {
    method: "GET",
    agent: false,
    lookup: isPlain ? namedOnly(guard) : guard.lookup,
    signal,
    headers: {
      "user-agent": "hopwise",
      accept: "*/*",
      "accept-encoding": "identity",
      connection: "close",
      ...headers,
      ...(credential ? credentialHeader(credential, target) : {}),
    },
  });
  const idleMs = limits.importIdleSeconds * 1000;
  request.setTimeout(idleMs, () => request.destroy(new Error(`The source sent nothing for ${idleMs / 1000} s.`)));
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    request.on("error", (error) => reject(failureOf(error)));
    request.end();
  });
}

function failureOf(error: Error): Error {
  if (error instanceof AppError) return error;
  return error instanceof ForbiddenAddress ? refused(error.message, error) : new SourceBroke(error);
}

/** Looks a name up that is to be reached without encryption. */
export function namedOnly(guard: AddressGuard): LookupFunction {
  return (host, options, callback) => {
    guard.lookup(host, options, (error, found, family) => {
      const addresses = typeof found === "string" ? [found] : (found ?? []).map(({ address }) => address);
      const isOther = !error && addresses.some((address) => !guard.isNamed(address));
      callback(isOther ? unencrypted(host) : error, found, family);
    });
  };
}
