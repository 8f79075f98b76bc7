import type { TaskObjection } from "../components/define-task.ts";
import type { LinkSideColumns } from "../io/dataset-labels.ts";
import type { LinkSplitChoice } from "../spec/link-split.ts";

/** What is offered where a dataset says which side its edges are on, or how old they are. */
export function offeredSplit(edges: LinkSideColumns | null): {
  readonly split?: { readonly type: "given" | "time" };
} {
  const { split = null, splitFiles = null, time = null } = edges ?? {};
  if (split !== null || splitFiles !== null) return { split: { type: "given" } };
  return time === null ? {} : { split: { type: "time" } };
}

/** What the columns of a dataset say against a way of telling its edges apart. */
export function splitObjection(
  { type }: Pick<LinkSplitChoice, "type">,
  edges: LinkSideColumns | null,
): TaskObjection | null {
  const { split = null, splitFiles = null, time = null } = edges ?? {};
  if (type === "given" && split === null && splitFiles === null) {
    const message =
      "The dataset does not say which side its edges are on: map a split column of the edges or a file for each side, or choose another split.";
    return { option: "split", message };
  }
  if (type !== "time" || time !== null) return null;
  const message = "The dataset has no time column of its edges: map one, or choose another split.";
  return { option: "split", message };
}
