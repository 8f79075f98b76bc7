import { z } from "zod";
import { featureLayoutOfModel } from "./feature-layout-of-model.ts";
import { typesOfModel } from "./types-of-model.ts";

/** How a model reads a graph other than the one that it was trained on. */
export const graphReading = z.strictObject({
  columns: featureLayoutOfModel.nullable().default(null).describe("null: the features are in its own columns"),
  types: typesOfModel.nullable().default(null).describe("null: it counts types of nodes and edges as the graph does"),
});
export type GraphReading = z.infer<typeof graphReading>;

/** As a model reads the graph that it was trained on */
export const asTrained: GraphReading = { columns: null, types: null };
