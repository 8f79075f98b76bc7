import { z } from "zod";

export const startLayers = z
  .enum(["all", "hidden"])
  .describe(
    "all: every weight is taken over; hidden: all but those of the outputs, which begin anew, for other classes",
  );
export type StartLayers = z.infer<typeof startLayers>;
