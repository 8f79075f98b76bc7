import { type JobColumnKey, jobColumns, type Shelf } from "./job-columns.ts";
import { type JobSearch, readJobSearch } from "./job-search.ts";

/** How the list of jobs was looked at, under a name: its filter, its order and its columns. */
export interface SavedView {
  readonly name: string;
  readonly search: JobSearch;
  readonly columns: readonly JobColumnKey[];
}

const storageKey = "hopwise-job-views";
export const mostViews = 30;

/** The views that this browser keeps, by name. What it does not understand is left out. */
export function storedViews(shelf: Shelf | null): readonly SavedView[] {
  try {
    const stored: unknown = JSON.parse(shelf?.getItem(storageKey) ?? "[]");
    return Array.isArray(stored) ? stored.flatMap(viewsIn) : [];
  } catch {
    return [];
  }
}

function viewsIn(stored: unknown): SavedView[] {
  const { name, search, columns } = (stored ?? {}) as Record<string, unknown>;
  if (typeof name !== "string" || name === "" || !Array.isArray(columns)) return [];
  const known = jobColumns.map(({ key }) => key).filter((key) => columns.includes(key));
  return [{ name, search: readJobSearch((search ?? {}) as Record<string, unknown>), columns: known }];
}

/** The views with this one among them, in the place of one of its name. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  const others = views.filter(({ name }) => name !== view.name);
  return [...others, view].toSorted((a, b) => a.name.localeCompare(b.name)).slice(0, mostViews);
}

export function storeViews(shelf: Shelf | null, views: readonly SavedView[]): void {
  shelf?.setItem(storageKey, JSON.stringify(views));
}
