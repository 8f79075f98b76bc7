import { type FromRank, type ToRank, toRank } from "./messages.ts";

/** The rank's end of the IPC channel. Without its launcher a rank has no reason to live. */
export class LauncherLink {
  readonly #answers = new Map<number, (value: Uint8Array | null) => void>();
  #nextId = 1;

  /** @param onMessage gets `start`, `try`, `abort` and `endTraining` */
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

  /** Sets a key of the group's rendezvous. */
  store(key: string, value: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      const id = this.#expect(() => resolve());
      void this.send({ type: "store", id, key, value });
    });
  }

  /** Resolves when some rank has set the key; rejects when `signal` aborts. */
  lookUp(key: string, signal: AbortSignal): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const id = this.#expect((value) => value && resolve(value));
      const giveUp = () => {
        this.#answers.delete(id);
        reject(signal.reason);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      void this.send({ type: "lookUp", id, key });
    });
  }

  #expect(answer: (value: Uint8Array | null) => void): number {
    const id = this.#nextId++;
    this.#answers.set(id, answer);
    return id;
  }
}
