import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { HopwiseClient } from "@hopwise/client";
import type { StackLayout } from "./env.ts";

/** A client of the stack with the admin key that the API leaves for tools of the same machine. */
export async function localClient({ url, secrets }: Pick<StackLayout, "url" | "secrets">): Promise<HopwiseClient> {
  return new HopwiseClient({ url, key: (await readFile(join(secrets, "admin-api-key"), "utf8")).trim() });
}

/** A one-time link for the browser; an earlier one may have been used. */
export async function freshSignInLink(client: HopwiseClient): Promise<string> {
  return (await client.call("POST /v1/sign-in-links")).url;
}
