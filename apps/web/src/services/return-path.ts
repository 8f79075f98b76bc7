/**
 * The page that was asked for before the sign-in, as a path; undefined unless it is one of this service's own: what
 * stands in an address may have been written by anybody.
 */
export function returnPath(asked: unknown, origin: string): string | undefined {
  if (typeof asked !== "string" || !asked.startsWith("/") || !URL.canParse(asked, origin)) return undefined;
  const url = new URL(asked, origin);
  if (url.origin !== origin || url.pathname.startsWith("//") || url.pathname === "/sign-in") return undefined;
  return `${url.pathname}${url.search}${url.hash}`;
}
