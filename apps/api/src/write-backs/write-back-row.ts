import { vectorColumns, writeBackModes, writeBackOutputs } from "@hopwise/contracts";
import { z } from "zod";
import type { WriteBack } from "../generated/prisma/client.ts";

const wish = z.object({
  output: z.enum(writeBackOutputs),
  vector: z.enum(vectorColumns),
  mode: z.enum(writeBackModes),
  columns: z.record(z.string(), z.string()),
});

/** What of a write-back's row the database holds as mere texts and JSON. */
export function wishOf(row: WriteBack): z.infer<typeof wish> {
  return wish.parse(row);
}
