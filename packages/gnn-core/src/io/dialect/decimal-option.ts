import { z } from "zod";

/** The option of readers of text in which numbers may have decimal commas. */
export const decimalOption = z
  .enum(["auto", ".", ","])
  .default("auto")
  .describe("What stands before the fraction of a number; auto: a comma where the numbers show that they have one");
