/** A value of two specs that is not the same in both. */
export interface SpecDifference {
  /** Where it stands, such as `train.epochs` */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What names a job and ranks it in the queue says nothing of what it computes. */
const labels: ReadonlySet<string> = new Set(["name", "tags", "priority", "project"]);

/** What differs between two resolved specs, by place; lists count as one value. */
export function specDifferences(before: unknown, after: unknown): SpecDifference[] {
  return differences(before, after, "").filter(({ path }) => !labels.has(path.split(".")[0] ?? ""));
}

function differences(before: unknown, after: unknown, path: string): SpecDifference[] {
  if (!isRecord(before) && !isRecord(after)) return same(before, after) ? [] : [{ path, before, after }];
  const [left, right] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return names.flatMap((name) => differences(left[name], right[name], path === "" ? name : `${path}.${name}`));
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value of a spec as it is read, not as JSON writes it. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}
