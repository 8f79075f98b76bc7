import type { ServedModel } from "./served-model.ts";

/** `ServedModel.open`, which loads what computes when the first model is opened: who asks for rows alone needs none. */
export async function openServedModel(sources: Parameters<typeof ServedModel.open>[0]): Promise<ServedModel> {
  return (await import("./served-model.ts")).ServedModel.open(sources);
}
