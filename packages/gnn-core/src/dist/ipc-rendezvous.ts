import type { ChildProcess } from "node:child_process";
import { GnnError } from "../errors/gnn-error.ts";
import { InMemoryRendezvousStore, type RendezvousStore } from "./rendezvous-store.ts";

type ToParent =
  | { readonly rendezvous: "set"; readonly key: string; readonly bytes: readonly number[] }
  | { readonly rendezvous: "get"; readonly key: string };
type ToRank = { readonly rendezvous: "value"; readonly key: string; readonly bytes: readonly number[] };

/**
 * The rendezvous store of ranks that one process forked, kept in that process; pass them all at once, before they
 * connect. Other messages of the channel stay the caller's.
 */
export function serveRendezvous(ranks: readonly ChildProcess[]): void {
  const store = new InMemoryRendezvousStore();
  for (const rank of ranks) {
    rank.on("message", (message: unknown) => {
      if (!isRendezvous(message)) return;
      if (message.rendezvous === "set") void store.set(message.key, Uint8Array.from(message.bytes));
      else if (message.rendezvous === "get") void answer(rank, store, message.key);
    });
  }
}

async function answer(rank: ChildProcess, store: RendezvousStore, key: string): Promise<void> {
  const bytes = await store.get(key, new AbortController().signal);
  if (rank.connected) rank.send({ rendezvous: "value", key, bytes: [...bytes] } satisfies ToRank);
}

/**
 * The rendezvous store as a forked rank sees it, over its IPC channel.
 *
 * @throws GnnError RANK_LOST when this process was not forked with a channel
 */
export function parentRendezvous(): RendezvousStore {
  if (!process.send)
    throw new GnnError("RANK_LOST", "This process has no IPC channel; start ranks with child_process.fork.");
  const tell = (message: ToParent) => process.send?.(message);
  return {
    set: async (key, bytes) => void tell({ rendezvous: "set", key, bytes: [...bytes] }),
    get: (key, signal) =>
      new Promise((resolve, reject) => {
        const listen = (message: unknown) => {
          if (!isRendezvous(message) || message.rendezvous !== "value" || message.key !== key) return;
          process.off("message", listen);
          resolve(Uint8Array.from(message.bytes));
        };
        const giveUp = () => {
          process.off("message", listen);
          reject(signal.reason);
        };
        if (signal.aborted) return giveUp();
        signal.addEventListener("abort", giveUp, { once: true });
        process.on("message", listen);
        tell({ rendezvous: "get", key });
      }),
  };
}

function isRendezvous(message: unknown): message is ToParent | ToRank {
  return typeof message === "object" && message !== null && "rendezvous" in message;
}
