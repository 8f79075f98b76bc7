import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { compileProgram } from "../../../../script/lib/compile-program.mjs";
import { InMemoryRendezvousStore } from "../../src/dist/rendezvous-store.ts";
import type { DrivenRank } from "../conformance/collective.suite.ts";
import type { FromRank, ToRank } from "./rank-protocol.ts";

const script = await compileProgram(new URL("./rank-process.ts", import.meta.url));

type Call = ToRank extends infer M ? (M extends { id: number } ? Omit<M, "id"> : never) : never;

/** A rank process and the calls it has not answered. */
export class RankProcess implements DrivenRank {
  readonly child: ChildProcess;
  readonly #pending = new Map<number, PromiseWithResolversLike>();
  #nextId = 0;

  constructor(store: InMemoryRendezvousStore) {
    this.child = fork(script, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.child.on("message", (message: FromRank) => this.#receive(message, store));
    this.child.on("exit", (code, signal) => {
      for (const { reject } of this.#pending.values()) reject(new Error(`the rank ended: ${signal ?? code}`));
    });
  }

  call(message: Call): Promise<number[]> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.child.send({ ...message, id });
    });
  }

  connect(rank: number, worldSize: number, timeoutMs: number): Promise<number[]> {
    return this.call({ type: "connect", rank, worldSize, timeoutMs });
  }

  allReduceSum(values: readonly number[]): Promise<number[]> {
    return this.call({ type: "allReduceSum", values });
  }

  async barrier(): Promise<void> {
    await this.call({ type: "barrier" });
  }

  async close(): Promise<void> {
    await this.call({ type: "close" });
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await exited;
  }

  #receive(message: FromRank, store: InMemoryRendezvousStore): void {
    switch (message.type) {
      case "done":
        this.#settle(message.id)?.resolve(message.values);
        break;
      case "failed":
        this.#settle(message.id)?.reject(Object.assign(new Error(message.message), { code: message.code }));
        break;
      case "store-set":
        void store.set(message.key, Uint8Array.from(message.bytes));
        break;
      case "store-get":
        void this.#answer(store, message.key, message.id);
        break;
    }
  }

  async #answer(store: InMemoryRendezvousStore, key: string, id: number): Promise<void> {
    const bytes = await store.get(key, new AbortController().signal);
    if (this.child.connected) this.child.send({ type: "store-value", id, bytes: [...bytes] });
  }

  #settle(id: number): PromiseWithResolversLike | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }
}

interface PromiseWithResolversLike {
  readonly resolve: (values: number[]) => void;
  readonly reject: (error: Error) => void;
}
