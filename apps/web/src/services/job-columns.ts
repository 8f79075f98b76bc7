/** The columns of the list of jobs that can be taken away, in their order. */
export const jobColumns = [
  { key: "doing", label: "Doing", isShownAtFirst: true },
  { key: "dataset", label: "Dataset", isShownAtFirst: true },
  { key: "model", label: "Model", isShownAtFirst: true },
  { key: "ranks", label: "Ranks", isShownAtFirst: true },
  { key: "result", label: "Result", isShownAtFirst: true },
  { key: "owner", label: "Owner", isShownAtFirst: false },
  { key: "tags", label: "Tags", isShownAtFirst: false },
  { key: "took", label: "Took", isShownAtFirst: true },
  { key: "submitted", label: "Submitted", isShownAtFirst: true },
] as const;

export type JobColumnKey = (typeof jobColumns)[number]["key"];

const storageKey = "hopwise-job-columns";
const atFirst = jobColumns.filter(({ isShownAtFirst }) => isShownAtFirst).map(({ key }) => key);

export type Shelf = Pick<Storage, "getItem" | "setItem">;

/** The columns that this browser was told to show. A name that is no column any more is left out. */
export function storedJobColumns(shelf: Shelf | null): readonly JobColumnKey[] {
  const names = shelf?.getItem(storageKey)?.split(" ");
  return names ? jobColumns.filter(({ key }) => names.includes(key)).map(({ key }) => key) : atFirst;
}

export function storeJobColumns(shelf: Shelf | null, keys: readonly JobColumnKey[]): void {
  shelf?.setItem(storageKey, keys.join(" "));
}

/** Storage may be forbidden; then the choice lasts as long as the page. */
export function browserShelf(): Shelf | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
