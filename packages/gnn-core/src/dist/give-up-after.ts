import { GnnError } from "../errors/gnn-error.ts";

/** Aborts with RANK_TIMEOUT when no rank has set the rendezvous key in time. */
export function giveUpAfter(key: string, limitMs: number): AbortSignal {
  const controller = new AbortController();
  const message = `No rank has set the rendezvous key "${key}" within ${limitMs} ms; a rank did not start.`;
  setTimeout(() => controller.abort(new GnnError("RANK_TIMEOUT", message)), limitMs).unref();
  return controller.signal;
}
