import { z } from "zod";

/** `info` of a `files` artifact: `name` is the user's and only data, `blob` is where the bytes lie. */
export const filesInfo = z.object({
  files: z.array(
    z.object({ name: z.string(), blob: z.string(), bytes: z.number().int().nonnegative(), sha256: z.string() }),
  ),
});
export type FilesInfo = z.infer<typeof filesInfo>;
