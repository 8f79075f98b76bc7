import type { HopwiseClient } from "@hopwise/client";
import { ProblemError } from "@hopwise/client";
import { type Finding, good } from "./finding.ts";
import { workerFindings } from "./worker-findings.ts";

interface Me {
  readonly me: { readonly role: string; readonly user: { readonly name: string } };
}

/**
 * Checks from where the reader sits, as far as his key may see: does the service answer, do its stores, is the key
 * good, can the workers run jobs. What comes after a check that failed is left out where it could tell nothing more.
 */
export async function examineService(client: HopwiseClient, signal: AbortSignal): Promise<Finding[]> {
  const alive = await attempt("service", () => client.call("GET /healthz", { signal }));
  if (alive)
    return [{ ...alive, advice: "Is the address right, and does the service run? hopwise start starts one here." }];
  const findings = [good("service", `${client.url} answers.`)];
  const stores = await attempt("stores", () => client.call("GET /readyz", { signal }));
  findings.push(stores ?? good("stores", "The database answers, and Redis takes writes."));
  let role = "";
  const key = await attempt("key", async () => {
    const { me } = await client.graphql<Me>("query Me { me { role user { name } } }", {}, { signal });
    role = `The key is ${me.user.name}'s, with the role ${me.role.toLowerCase()}.`;
  });
  if (key) return [...findings, { ...key, advice: `Log in with a key of this service: hopwise login ${client.url}` }];
  findings.push(good("key", role));
  let workers: Finding[] = [];
  const asked = await attempt("workers", async () => {
    workers = workerFindings((await client.call("GET /v1/workers", { signal })).items);
  });
  return [...findings, ...(asked ? [asked] : workers)];
}

/** What went wrong; null: nothing. An interruption is no finding. */
async function attempt(check: Finding["check"], work: () => Promise<unknown>): Promise<Finding | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { check, state: "bad", found: error.message, advice: null };
  }
}
