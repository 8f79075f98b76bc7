import type { Client } from "urql";
import { jobQuery } from "./documents/job.ts";

type Answer = ReturnType<typeof askFor>;

const askFor = (client: Client, id: string) =>
  client.query(jobQuery, { id }, { requestPolicy: "network-only" }).toPromise();

let early: { readonly id: string; readonly answer: Answer } | null = null;

/** Asks for the job of an address while the code of its page is still on its way. */
export function askEarly(client: Client, path: string): void {
  const [, id] = /^\/jobs\/([^/]+)\/?$/.exec(path) ?? [];
  if (id !== undefined && id !== "new") early = { id, answer: askFor(client, id) };
}

/** The answer to what was asked early, for the first who wants that job; else it is asked for now. */
export function askForJob(client: Client, id: string): Answer {
  const taken = early?.id === id ? early.answer : null;
  early = null;
  return taken ?? askFor(client, id);
}
