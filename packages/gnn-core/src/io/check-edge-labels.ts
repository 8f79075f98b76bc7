import type { z } from "zod";

/** The columns of a table of edges, as far as they decide what models get to see and what they predict. */
interface EdgeColumns {
  readonly src: string;
  readonly dst: string;
  readonly weight: string | null;
  readonly type: string | null;
  readonly features: readonly string[];
  readonly split: string | null;
  readonly time: string | null;
  readonly label?: string | undefined;
  readonly targets?: readonly string[] | undefined;
}

/**
 * What is predicted of an edge is nothing that models read of it: messages go by weights and types, and predictions are
 * made with the features.
 */
export function checkEdgeLabels(section: EdgeColumns, context: z.core.$RefinementCtx): void {
  const { src, dst, weight, type, features, split, time, label, targets = [] } = section;
  const roles: readonly (readonly [role: string, columns: readonly (string | null)[]])[] = [
    ["an end of the edge", [src, dst]],
    ["the weight", [weight]],
    ["the type", [type]],
    ["a feature", features],
    ["the split", [split]],
    ["the time", [time]],
  ];
  const predicted = [
    ...(label === undefined ? [] : [{ column: label, path: ["label"] }]),
    ...targets.map((column, i) => ({ column, path: ["targets", i] })),
  ];
  for (const [i, { column, path }] of predicted.entries()) {
    const [role] = roles.find(([, columns]) => columns.includes(column)) ?? [];
    const isTwice = predicted.some((other, j) => j < i && other.column === column);
    if (role === undefined && !isTwice) continue;
    const message = isTwice
      ? `The column "${column}" is to be predicted already; name it once`
      : `The column "${column}" is ${role} already, so models would see what they are to predict; choose one of the two`;
    context.addIssue({ code: "custom", path, message });
  }
}
