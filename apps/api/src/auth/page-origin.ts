import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "@hopwise/contracts";

/** What of a request tells which page sent it. */
export interface PageRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** Name and port of the service as the caller knows it; of a trusted proxy, what that says. */
  readonly host: string;
  readonly isSocket: boolean;
}

const readingMethods = new Set(["GET", "HEAD"]);

/**
 * Refuses what another page has a browser send with our cookie: a page of another site, of a sibling domain or of
 * another port, all of which SameSite lets through or may let through. Browsers name the page in `Origin` for whatever
 * changes something and for sockets, and newer ones its relation to us in `Sec-Fetch-Site` for everything; programs
 * that are no browsers send neither, and hold the cookie because somebody gave it to them.
 *
 * @throws AppError AUTH_ORIGIN
 */
export function requireOwnPage(request: PageRequest, publicUrl: string): void {
  const { headers, isSocket } = request;
  const { origin } = headers;
  if (origin !== undefined) {
    if (!isOwn(origin, request.host, publicUrl)) throw foreign(`the page ${origin.slice(0, 200)}`, publicUrl);
    return;
  }
  const site = headers["sec-fetch-site"];
  if (readingMethods.has(request.method) && !isSocket) {
    const isOwnSite = site === undefined || site === "same-origin" || site === "none";
    // A link on another page may be followed: its answer is shown to the user, not to that page.
    if (isOwnSite || headers["sec-fetch-mode"] === "navigate") return;
    throw foreign(`a page of relation "${site}"`, publicUrl);
  }
  if (site === "same-origin" || !isBrowser(headers)) return;
  throw foreign("a browser that does not name its page", publicUrl);
}

function isOwn(origin: string, host: string, publicUrl: string): boolean {
  if (!URL.canParse(origin)) return false; // "null": a page that hides where it is from
  const page = new URL(origin);
  return page.origin === new URL(publicUrl).origin || page.host === normalHost(page.protocol, host);
}

/** As an origin has it: lower case, without the port that its scheme has anyway. */
function normalHost(protocol: string, host: string): string | null {
  const url = `${protocol}//${host}`;
  return URL.canParse(url) ? new URL(url).host : null;
}

function isBrowser(headers: IncomingHttpHeaders): boolean {
  return (
    (headers["user-agent"] ?? "").startsWith("Mozilla/") ||
    Object.keys(headers).some((name) => name.startsWith("sec-fetch-"))
  );
}

function foreign(sender: string, publicUrl: string): AppError {
  return new AppError(
    "AUTH_ORIGIN",
    `This request carries the session's cookie but comes from ${sender}, not from the service's own (${new URL(publicUrl).origin}). If that is the service, set HOPWISE_PUBLIC_URL to the address in the browser; programs send an API key.`,
  );
}
