import type { GraphqlContext } from "./builder.ts";
import type { Work } from "./work.ts";

type Found<T> = Promise<ReadonlyMap<string, T>>;
type ReadAll<T> = (context: GraphqlContext, ids: readonly string[]) => Found<T>;

/**
 * What a field reads of one row of a page, it reads of all its rows at once: a list of fifty costs one query of the
 * database, not fifty. Each operation has its own pages.
 */
export class ReadTogether<T> {
  readonly #readAll: ReadAll<T>;
  readonly #pages = new WeakMap<Work, Map<string, { readonly ids: readonly string[]; found?: Found<T> }>>();

  constructor(readAll: ReadAll<T>) {
    this.#readAll = readAll;
  }

  /** Says which rows the operation has read together. */
  announce(work: Work, ids: readonly string[]): void {
    const pages = this.#pages.get(work) ?? new Map();
    this.#pages.set(work, pages);
    const page = { ids };
    for (const id of ids) pages.set(id, page);
  }

  /** What belongs to a row; null when nothing does. */
  async read(context: GraphqlContext, id: string): Promise<T | null> {
    const page = this.#pages.get(context.work)?.get(id) ?? { ids: [id] };
    page.found ??= this.#readAll(context, page.ids);
    return (await page.found).get(id) ?? null;
  }
}
