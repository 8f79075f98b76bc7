import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

/** What the process of the service is asked. */
export type Question =
  | { readonly ask: "submit" }
  /** Answered when the job is CANCELLED, with the seconds from the request. */
  | { readonly ask: "cancel"; readonly jobId: string }
  | { readonly ask: "end"; readonly jobId: string }
  /** Answered when events of a slice of the job are persisted up to this number. */
  | { readonly ask: "persisted"; readonly jobId: string; readonly seq: number }
  /** CPU seconds that the process has used. */
  | { readonly ask: "cpu" }
  | { readonly ask: "points"; readonly jobId: string }
  | { readonly ask: "insert"; readonly jobId: string; readonly events: number };

export interface Answer {
  readonly jobId?: string;
  readonly seconds?: number;
  readonly state?: string;
  readonly points?: number;
  readonly events?: number;
}

/** The service in a process that can be killed and started again. */
export class ApiProcess {
  readonly #program: string;
  readonly #args: readonly string[];
  readonly #open = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>();
  #process: ChildProcess | null = null;
  #lastId = 0;

  constructor(program: string, args: readonly string[]) {
    this.#program = program;
    this.#args = args;
  }

  /** Resolves when it has the database open and schedules. */
  async start(): Promise<void> {
    const child = fork(this.#program, this.#args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.#process = child;
    child.on("message", ({ id, value, error }: { id: number; value: Answer; error?: string }) => {
      const asked = this.#open.get(id);
      this.#open.delete(id);
      if (error === undefined) asked?.resolve(value);
      else asked?.reject(new Error(error));
    });
    await new Promise<void>((resolve, reject) => {
      this.#open.set(0, { resolve: () => resolve(), reject });
      child.once("exit", (code, signal) => reject(new Error(`The service ended with ${code ?? signal}.`)));
    });
  }

  ask(question: Question): Promise<Answer> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      this.#process?.send({ id, question });
    });
  }

  /** SIGKILL. What is asked and not answered stays so. */
  async kill(): Promise<void> {
    const dying = this.#process;
    if (!dying || dying.exitCode !== null || dying.signalCode !== null) return;
    dying.kill("SIGKILL");
    await once(dying, "exit");
    this.#open.clear();
  }
}
