import type { SweepAnswer } from "@hopwise/contracts";
/** A field that settings differ in, and what its column is called. */
export interface SweptField {
  readonly path: string;
  readonly title: string;
}

/** The fields that the settings change, in their order; called by their last word, where that tells them apart. */
export function sweptFields(settings: readonly { readonly changes: unknown }[]): SweptField[] {
  const paths = [...new Set(settings.flatMap(({ changes }) => Object.keys(changes as object)))];
  const last = (path: string) => path.split(".").at(-1) ?? path;
  return paths.map((path) => {
    const isClear = paths.filter((other) => last(other) === last(path)).length === 1;
    return { path, title: isClear && last(path) !== "type" ? last(path) : path };
  });
}

/** `5 of 8 jobs done, 2 running, 1 failed` */
export function countsText({ jobs, running, waiting, succeeded, failed, cancelled }: SweepAnswer["counts"]): string {
  const parts = [
    [running, "running"],
    [waiting, "waiting"],
    [failed, "failed"],
    [cancelled, "cancelled"],
  ] as const;
  const others = parts.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : []));
  return [`${succeeded} of ${jobs} jobs done`, ...others].join(", ");
}
