/** What is about to be deleted: out of sight at once, while nothing has been asked of the service yet. */
export class DeferredDeletion {
  #hidden: ReadonlySet<string> = new Set();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Ids that lists leave out; another set once they change. */
  readonly hidden = (): ReadonlySet<string> => this.#hidden;

  /**
   * Hides what has these ids and, unless it is undone before, deletes it. A page that is closed meanwhile deletes
   * nothing.
   *
   * @param remove deletes one; what it cannot delete is seen again
   * @returns takes it back; without effect once the time is over
   */
  start(ids: readonly string[], afterMs: number, remove: (id: string) => Promise<boolean>): () => void {
    this.#set([...this.#hidden, ...ids]);
    let isOver = false;
    const timer = setTimeout(() => {
      isOver = true;
      void this.#remove(ids, remove);
    }, afterMs);
    return () => {
      if (isOver) return;
      clearTimeout(timer);
      this.#show(ids);
    };
  }

  /** One after the other: many requests at once would be refused. */
  async #remove(ids: readonly string[], remove: (id: string) => Promise<boolean>): Promise<void> {
    for (const id of ids) if (!(await remove(id))) this.#show([id]);
  }

  #show(ids: readonly string[]): void {
    this.#set([...this.#hidden].filter((id) => !ids.includes(id)));
  }

  #set(ids: readonly string[]): void {
    this.#hidden = new Set(ids);
    for (const listener of this.#listeners) listener();
  }
}

/** That of the list of jobs; it outlives the page of the list. */
export const jobDeletion = new DeferredDeletion();
