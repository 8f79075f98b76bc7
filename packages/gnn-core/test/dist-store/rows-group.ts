import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { compileProgram } from "../../../../script/lib/compile-program.mjs";
import { serveRendezvous } from "../../src/dist/ipc-rendezvous.ts";
import type { DrivenRows } from "../conformance/row-service.suite.ts";
import type { ConnectRows, FromRows, ToRows } from "./rows-process.ts";

const script = await compileProgram(new URL("./rows-process.ts", import.meta.url));

/** A rank process and the calls it has not answered. */
export class RowsProcess implements DrivenRows {
  readonly child: ChildProcess;
  readonly #pending = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  #nextId = 0;

  constructor() {
    this.child = fork(script, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.child.on("message", (message: FromRows) => this.#receive(message));
    this.child.on("exit", (code, signal) => {
      for (const { reject } of this.#pending.values()) reject(new Error(`the rank ended: ${signal ?? code}`));
    });
  }

  connect(options: ConnectRows): Promise<void> {
    return this.#call("connect", [options]) as Promise<void>;
  }

  host(...values: Parameters<DrivenRows["host"]>) {
    return this.#call("host", values) as ReturnType<DrivenRows["host"]>;
  }
  get(...values: Parameters<DrivenRows["get"]>) {
    return this.#call("get", values) as ReturnType<DrivenRows["get"]>;
  }
  set(...values: Parameters<DrivenRows["set"]>) {
    return this.#call("set", values) as ReturnType<DrivenRows["set"]>;
  }
  add(...values: Parameters<DrivenRows["add"]>) {
    return this.#call("add", values) as ReturnType<DrivenRows["add"]>;
  }
  applyWrites(...values: Parameters<DrivenRows["applyWrites"]>) {
    return this.#call("applyWrites", values) as ReturnType<DrivenRows["applyWrites"]>;
  }
  takeSums(...values: Parameters<DrivenRows["takeSums"]>) {
    return this.#call("takeSums", values) as ReturnType<DrivenRows["takeSums"]>;
  }
  hostLists(...values: Parameters<DrivenRows["hostLists"]>) {
    return this.#call("hostLists", values) as ReturnType<DrivenRows["hostLists"]>;
  }
  draw(...values: Parameters<DrivenRows["draw"]>) {
    return this.#call("draw", values) as ReturnType<DrivenRows["draw"]>;
  }
  counters() {
    return this.#call("counters", []) as ReturnType<DrivenRows["counters"]>;
  }
  close() {
    return this.#call("close", []) as ReturnType<DrivenRows["close"]>;
  }

  /** Resolves when all its threads stand still; until then one may answer yet. */
  async stop(): Promise<void> {
    this.child.kill("SIGSTOP");
    const tasks = `/proc/${this.child.pid}/task`;
    const stands = (task: string) => / T [^)]*$/.test(readFileSync(join(tasks, task, "stat"), "utf8"));
    while (!readdirSync(tasks).every(stands)) await setImmediate();
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await exited;
  }

  #call(method: ToRows["method"], values: readonly unknown[]): Promise<unknown> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.child.send({ rows: "call", id, method, values } satisfies ToRows);
    });
  }

  #receive(message: FromRows): void {
    if (message.rows === undefined) return;
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.rows === "done") pending?.resolve(message.value);
    else pending?.reject(Object.assign(new Error(message.message), { code: message.code }));
  }
}

/** Processes that connect anew for each group, since starting them is what takes long. */
export class RowsPool {
  readonly processes: readonly RowsProcess[];
  #numGroups = 0;

  constructor(size: number) {
    this.processes = Array.from({ length: size }, () => new RowsProcess());
    serveRendezvous(this.processes.map(({ child }) => child));
  }

  async start(worldSize: number, timeoutMs: number): Promise<readonly RowsProcess[]> {
    const prefix = `group-${this.#numGroups++}`;
    const secret = [...randomBytes(32)];
    const ranks = this.processes.slice(0, worldSize);
    await Promise.all(ranks.map((process, rank) => process.connect({ prefix, rank, worldSize, timeoutMs, secret })));
    return ranks;
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.kill()));
  }
}
