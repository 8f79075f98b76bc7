import type { Client } from "urql";
import { changesSubscription } from "./documents/job.ts";
import type { ResultOf } from "./graphql.ts";

export type ChangeTopic = ResultOf<typeof changesSubscription>["changes"][number];

export interface ChangeListener {
  readonly topics: readonly ChangeTopic[];
  /** Something in one of its topics has changed, or may have while the connection was away. */
  readonly onChange: () => void;
  /** Whether changes are told now; while they are not, whoever wants to know asks by the clock. */
  readonly onLive: (isLive: boolean) => void;
}

const retryMs = [500, 1000, 2000, 5000, 15_000];

/**
 * Follows which lists have changed, over one subscription for the whole page, from the first listener to the last.
 * When it stops it begins anew, and the service's first word, which names all topics, makes up for what was missed.
 */
export class ChangeFollower {
  readonly #client: Client;
  readonly #listeners = new Set<ChangeListener>();
  #isLive = false;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  /** @returns what ends the listening */
  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    listener.onLive(this.#isLive);
    if (this.#listeners.size === 1) this.#begin();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#leave();
    };
  }

  #begin(): void {
    const subscription = this.#client.subscription(changesSubscription, {}).subscribe(({ data, error, hasNext }) => {
      // The last result repeats the data of the one before it.
      if (error || !hasNext) this.#retry();
      else if (data) this.#tell(data.changes);
    });
    this.#unsubscribe = () => subscription.unsubscribe();
  }

  #tell(topics: readonly ChangeTopic[]): void {
    this.#tries = 0;
    this.#setLive(true);
    for (const listener of this.#listeners)
      if (listener.topics.some((topic) => topics.includes(topic))) listener.onChange();
  }

  #retry(): void {
    this.#leave();
    this.#timer = setTimeout(() => this.#begin(), retryMs[Math.min(this.#tries++, retryMs.length - 1)]);
  }

  #leave(): void {
    clearTimeout(this.#timer);
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#setLive(false);
  }

  #setLive(isLive: boolean): void {
    if (this.#isLive === isLive) return;
    this.#isLive = isLive;
    for (const listener of this.#listeners) listener.onLive(isLive);
  }
}

const followers = new WeakMap<Client, ChangeFollower>();

/** The page's follower of changes. */
export function changesOf(client: Client): ChangeFollower {
  const known = followers.get(client);
  if (known) return known;
  const made = new ChangeFollower(client);
  followers.set(client, made);
  return made;
}
