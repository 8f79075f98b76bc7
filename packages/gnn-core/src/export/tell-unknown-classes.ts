import type { StepContext } from "../components/define-step.ts";

interface Renumbered extends Record<"own" | "classes", readonly string[]> {
  /** int32 in the numbers of `own`, -1 = not known */
  readonly gathered: Int32Array;
  /** int32 in those of `classes` */
  readonly labels: Int32Array;
}

/** Warns of classes of the graph that the model did not learn: rows with them count as if they had no label. */
export function tellUnknownClasses(
  { onEvent }: Pick<StepContext, "onEvent">,
  { gathered, labels, own, classes }: Renumbered,
): void {
  const unknown = own.filter((name) => !classes.includes(name));
  if (unknown.length === 0) return;
  const numRows = gathered.reduce((sum, label, row) => sum + (label >= 0 && labels[row]! < 0 ? 1 : 0), 0);
  const message = "The model did not learn some classes of the dataset; their rows count as if they had no label";
  const fields = { classes: unknown.slice(0, 20).join(", "), numClasses: unknown.length, rows: numRows };
  onEvent({ type: "log", level: "warn", rank: 0, message, fields });
}
