/** One rank's row service in a process of its own, driven over IPC; its rendezvous store is the parent. */

import { parentRendezvous } from "../../src/dist/ipc-rendezvous.ts";
import { prefixedStore } from "../../src/dist/rendezvous-store.ts";
import { connectRowService } from "../../src/dist-store/zeromq-rows.ts";
import { GnnError } from "../../src/errors/gnn-error.ts";
import type { DrivenRows } from "../conformance/row-service.suite.ts";
import { driveRows } from "./drive-rows.ts";

export interface ConnectRows {
  readonly prefix: string;
  readonly rank: number;
  readonly worldSize: number;
  readonly timeoutMs: number;
  readonly secret: readonly number[] | null;
}

export interface ToRows {
  readonly rows: "call";
  readonly id: number;
  readonly method: keyof DrivenRows | "connect";
  readonly values: readonly unknown[];
}

export type FromRows =
  | { readonly rows: "done"; readonly id: number; readonly value: unknown }
  | { readonly rows: "failed"; readonly id: number; readonly code: string; readonly message: string };

let driven: DrivenRows | null = null;

async function perform({ method, values }: ToRows): Promise<unknown> {
  if (method === "connect") {
    const { prefix, secret, ...options } = values[0] as ConnectRows;
    const store = prefixedStore(parentRendezvous(), prefix);
    const service = await connectRowService({ ...options, store, secret: secret && Uint8Array.from(secret) });
    driven = driveRows(service);
    return null;
  }
  if (!driven) throw new Error("This rank is not connected.");
  return (driven[method] as (...of: readonly unknown[]) => Promise<unknown>)(...values);
}

process.on("message", (message: ToRows) => {
  if (message.rows !== "call") return;
  perform(message).then(
    (value) => process.send?.({ rows: "done", id: message.id, value } satisfies FromRows),
    (error: unknown) => {
      const code = error instanceof GnnError ? error.code : "UNTYPED";
      process.send?.({ rows: "failed", id: message.id, code, message: String(error) } satisfies FromRows);
    },
  );
});
