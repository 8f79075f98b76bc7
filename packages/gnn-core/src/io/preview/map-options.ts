import { z } from "zod";

/** Readers that somebody has chosen, by the name of the file. */
export const mapOptions = z.strictObject({
  readers: z
    .record(z.string(), z.strictObject({ type: z.string(), options: z.record(z.string(), z.unknown()).default({}) }))
    .default({})
    .describe("Reader and options of single files; of the others both are detected"),
});
export type MapOptions = z.infer<typeof mapOptions>;
