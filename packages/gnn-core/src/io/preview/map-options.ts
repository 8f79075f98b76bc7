import { z } from "zod";
import { datasetSpec } from "../dataset-spec.ts";

/** Readers that somebody has chosen, by the name of the file, and the version to which files are added. */
export const mapOptions = z.strictObject({
  readers: z
    .record(z.string(), z.strictObject({ type: z.string(), options: z.record(z.string(), z.unknown()).default({}) }))
    .default({})
    .describe("Reader and options of single files; of the others both are detected"),
  addsTo: z
    .strictObject({
      spec: datasetSpec.describe("Its mapping, which is kept"),
      files: z.array(z.string()).describe("Names of its files; all others hold rows that are added"),
    })
    .optional()
    .describe("The version to whose rows those of the new files are added; left out: the files stand alone"),
});
export type MapOptions = z.infer<typeof mapOptions>;
