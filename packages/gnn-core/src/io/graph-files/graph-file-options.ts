import { z } from "zod";
import { encodingOption } from "../encoding/encodings.ts";
import type { GraphPart } from "./graph-record.ts";

/** Edges first: a graph has them in any case. */
export const graphParts: readonly GraphPart[] = ["edges", "nodes"];

/** Options of the readers of files that hold a whole graph. */
export const graphFileOptions = z.strictObject({
  part: z.enum(["edges", "nodes"]).default("edges").describe("Which of its two tables is read"),
  encoding: encodingOption,
});
