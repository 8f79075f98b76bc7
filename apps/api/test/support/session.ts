import type { TestApp } from "./start-app.ts";

/** Signs in as the admin with a fresh link, as a browser does; the cookie as it sends it back. */
export async function signIn(app: TestApp): Promise<string> {
  const link = await app.admin.post("/v1/sign-in-links");
  const token = new URL(link.body.url).searchParams.get("token");
  const answer = await app.anonymous.post("/v1/session").send({ token });
  if (answer.status !== 204) throw new Error(JSON.stringify(answer.body));
  return (answer.get("Set-Cookie") ?? [""])[0]?.split(";")[0] ?? "";
}

/** Where the test's service listens, as a browser would have it in its address line. */
export function ownOrigin({ server }: TestApp): string {
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("The service listens on no port.");
  return `http://127.0.0.1:${address.port}`;
}
