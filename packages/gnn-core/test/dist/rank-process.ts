/**
 * One rank in a process of its own, driven over IPC by gloo.integration.test.ts; its rendezvous store is the parent.
 */

import type { Collective } from "../../src/dist/collective.ts";
import { connectGloo } from "../../src/dist/gloo.ts";
import type { RendezvousStore } from "../../src/dist/rendezvous-store.ts";
import { GnnError } from "../../src/errors/gnn-error.ts";
import type { FromRank, ToRank } from "./rank-protocol.ts";

const send = (message: FromRank) => process.send!(message);
const answers = new Map<number, (bytes: Uint8Array) => void>();
let nextId = 0;
let collective: Collective | null = null;

const store: RendezvousStore = {
  async set(key, bytes) {
    send({ type: "store-set", key, bytes: [...bytes] });
  },
  get(key, signal) {
    const id = nextId++;
    send({ type: "store-get", key, id });
    return new Promise((resolve, reject) => {
      answers.set(id, resolve);
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  },
};

async function perform(message: Exclude<ToRank, { type: "store-value" }>): Promise<number[]> {
  const values = Float32Array.from(message.type === "allReduceSum" ? message.values : []);
  if (message.type === "connect") collective = await connectGloo({ ...message, store });
  else if (message.type === "allReduceSum") await collective!.allReduceSum(values);
  else if (message.type === "barrier") await collective!.barrier();
  else if (message.type === "close") await collective!.close();
  else process.exit(0);
  return [...values];
}

process.on("message", (message: ToRank) => {
  if (message.type === "store-value") {
    answers.get(message.id)?.(Uint8Array.from(message.bytes));
    return;
  }
  perform(message).then(
    (values) => send({ type: "done", id: message.id, values }),
    (error: unknown) => {
      const code = error instanceof GnnError ? error.code : "UNTYPED";
      send({ type: "failed", id: message.id, code, message: String(error) });
    },
  );
});
