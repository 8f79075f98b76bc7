import type { Viewer } from "../auth/viewer.ts";
import type { Served } from "./served-source.ts";

/** How long what a name stands for is taken for granted, so that not every question reads the database */
const freshMs = 1000;
const mostNames = 1000;

interface Entry {
  served: Served;
  checkedAt: number;
  /** A look at the database that is under way */
  looking: Promise<void> | null;
  /** Digest of the rows that are being loaded to take the place of those that answer */
  loading: string | null;
}

export interface SourcesOptions {
  /** Has rows loaded before they answer. */
  readonly warm: (served: Served) => Promise<unknown>;
  readonly onWarmFailed: (error: unknown) => void;
}

/**
 * Which rows a name stands for now. When others take their place, as when a version goes into production, those that
 * answered go on to do so until the new ones are loaded: nobody waits for that, and no question fails.
 */
export class CurrentSources {
  readonly #options: SourcesOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: SourcesOptions) {
    this.#options = options;
  }

  /**
   * @param name what is asked for, whoever asks
   * @param look reads it from the database, as far as the viewer may see
   * @throws what `look` throws
   */
  async get(name: string, viewer: Viewer, look: () => Promise<Served>): Promise<Served> {
    const known = this.#entries.get(name);
    const isVisible = viewer.projectId === null || viewer.projectId === known?.served.projectId;
    // Whoever may not see it is told what the database tells him.
    if (known && !isVisible) return look();
    if (!known) return this.#add(name, await look());
    if (performance.now() - known.checkedAt > freshMs) {
      known.looking ??= this.#lookAgain(name, known, look).finally(() => {
        known.looking = null;
      });
      await known.looking;
    }
    return known.served;
  }

  /** The next question looks at the database. */
  forget(name: string): void {
    this.#entries.delete(name);
  }

  #add(name: string, served: Served): Served {
    if (this.#entries.size >= mostNames) this.#entries.delete([...this.#entries.keys()][0] as string);
    this.#entries.set(name, { served, checkedAt: performance.now(), looking: null, loading: null });
    return served;
  }

  async #lookAgain(name: string, entry: Entry, look: () => Promise<Served>): Promise<void> {
    try {
      const found = await look();
      entry.checkedAt = performance.now();
      const isSame = keyOf(found) === keyOf(entry.served);
      if (isSame) entry.served = found;
      else if (entry.loading !== keyOf(found)) void this.#replace(entry, found);
    } catch (error) {
      this.#entries.delete(name);
      throw error;
    }
  }

  async #replace(entry: Entry, found: Served): Promise<void> {
    entry.loading = keyOf(found);
    try {
      await this.#options.warm(found);
      if (entry.loading === keyOf(found)) entry.served = found;
    } catch (error) {
      this.#options.onWarmFailed(error);
    } finally {
      if (entry.loading === keyOf(found)) entry.loading = null;
    }
  }
}

function keyOf({ source, model, job }: Served): string {
  return `${source.remapped.digest}/${source.graph.digest}/${model}/${job}`;
}
