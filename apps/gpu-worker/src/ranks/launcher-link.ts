import type { FromRank, ToRank } from "./messages.ts";
import { toRank } from "./messages.ts";

type Request = { type: "store"; key: string; value: Uint8Array } | { type: "lookUp"; key: string };

/** The rank's end of the IPC channel. Without its launcher a rank has no reason to live. */
export class LauncherLink {
  readonly #answers = new Map<number, (value: Uint8Array | null) => void>();
  #nextId = 1;

  /** @param onMessage gets `start` and `abort` */
  constructor(onMessage: (message: Exclude<ToRank, { type: "stored" }>) => void) {
    process.on("disconnect", () => process.exit(1));
    process.on("message", (raw) => {
      const message = toRank.parse(raw);
      if (message.type !== "stored") return onMessage(message);
      this.#answers.get(message.id)?.(message.value);
      this.#answers.delete(message.id);
    });
  }

  /** Resolves when the message has left this process. */
  send(message: FromRank): Promise<void> {
    return new Promise((resolve) => {
      // A closed channel ends this process by "disconnect"; there is nobody left to tell.
      process.send?.(message, () => resolve());
    });
  }

  /** Waits for the launcher's answer; `timeoutMs` 0 waits for ever. null when time ran out. */
  ask(request: Request, timeoutMs: number): Promise<Uint8Array | null> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const timer = timeoutMs > 0 ? setTimeout(() => this.#answers.get(id)?.(null), timeoutMs) : undefined;
      this.#answers.set(id, (value) => {
        clearTimeout(timer);
        this.#answers.delete(id);
        resolve(value);
      });
      void this.send({ ...request, id });
    });
  }
}
