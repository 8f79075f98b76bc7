import { z } from "zod";

/** Letters of the names of models: they are written in front of an @ and in addresses. */
export const modelName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, "A name has 1 to 100 letters, digits, dots, dashes and underscores");

/** A model and which version of it: `papers@3`, or `papers`. */
export const modelRef = z
  .string()
  .max(120)
  .refine((text) => modelName.safeParse(text.replace(/@\d{1,9}$/, "")).success, {
    message: "Expected the name of a model, or name@version such as papers@3",
  })
  .describe("name@version; without one the version in production, else the newest candidate");
