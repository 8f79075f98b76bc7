import type { PackedTexts } from "./ingest-addon.ts";

/** Functions of the addon that write results. They run on the calling thread. */
export interface ExportAddon {
  /** A text for each row of float32 [rows, width]: the shortest decimals that read as the same numbers */
  floatTexts(values: Float32Array, width: number, between: string): PackedTexts & { readonly allFinite: boolean };
}
