import { z } from "zod";

/**
 * One file as the preview shows it; `reader` is null when no reader takes it, `npy` or `npz` for a matrix. `reasons`
 * say how the file was read and why; `problem` says why it could not be.
 */
export const previewFile = z.object({
  name: z.string(),
  reader: z.string().nullable(),
  options: z.record(z.string(), z.unknown()).default({}),
  isReaderChosen: z.boolean().default(false),
  reasons: z.array(z.string()).default([]),
  problem: z.object({ code: z.string(), detail: z.string() }).nullable().default(null),
  bytes: z.number(),
  numRowsSampled: z.number().int(),
  /** `width`: numbers in each list of a column of such; null: it is none, or they have different lengths */
  columns: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      role: z.string(),
      width: z.number().int().nullable().default(null),
    }),
  ),
  rows: z.array(z.array(z.string())),
});
export type PreviewFile = z.infer<typeof previewFile>;

/** `info` of a `preview` artifact. */
export const previewInfo = z.object({
  files: z.array(previewFile),
  /** DatasetSpec, or null when no file looks like edges. */
  proposed: z.unknown().nullable(),
  warnings: z.array(z.string()),
});
export type PreviewInfo = z.infer<typeof previewInfo>;
