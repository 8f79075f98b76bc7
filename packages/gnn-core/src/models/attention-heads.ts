import { z } from "zod";

/** How many attention heads a layer has. */
export const headCount = z.number().int().min(1).max(64);

/** Says at the width that the heads which share it do not divide it, if so. */
export function requireSharedWidth(width: number, heads: number, context: z.RefinementCtx): void {
  if (width % heads === 0) return;
  const message = `${width} is a width that ${heads} heads cannot share evenly; choose a multiple of the heads`;
  context.addIssue({ code: "custom", path: ["hiddenFeats"], message });
}
