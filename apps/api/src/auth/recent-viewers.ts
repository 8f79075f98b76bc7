import type { Viewer } from "./viewer.ts";

/**
 * How old a look at the database may be whose answer is used again. Whoever is let in by one is looked at by the
 * access watch within another 0.6 seconds, which makes less than the second after which nobody may go on.
 */
const recentMs = 200;
/** Good keys and sessions that are in use at once; beyond, the oldest are looked up again. */
const mostKept = 10_000;

interface Look {
  readonly viewer: Promise<Viewer>;
  readonly beganAt: number;
}

/**
 * Who stood behind a key or session a moment ago, so that many reading requests share a look at the database. Only good
 * ones are remembered.
 */
export class RecentViewers {
  readonly #looks = new Map<string, Look>();

  /** @returns null when nothing was found of late, or what is under way finds nothing */
  async find(hash: string): Promise<Viewer | null> {
    const look = this.#looks.get(hash);
    if (!look || performance.now() - look.beganAt > recentMs) return null;
    return look.viewer.catch(() => null);
  }

  /** Remembers a look that begins now; one that finds nobody is forgotten. */
  keep(hash: string, viewer: Promise<Viewer>): Promise<Viewer> {
    const look = { viewer, beganAt: performance.now() };
    this.#looks.delete(hash); // it becomes the youngest
    this.#looks.set(hash, look);
    const [oldest] = this.#looks.keys();
    if (this.#looks.size > mostKept && oldest !== undefined) this.#looks.delete(oldest);
    viewer.catch(() => {
      if (this.#looks.get(hash) === look) this.#looks.delete(hash);
    });
    return viewer;
  }

  /** The next request of each looks at the database, also while an earlier look is under way. */
  forgetAll(): void {
    this.#looks.clear();
  }
}
