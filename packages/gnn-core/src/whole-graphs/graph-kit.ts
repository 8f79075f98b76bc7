import { attentionReadout } from "./readouts/attention.ts";
import { maxReadout } from "./readouts/max.ts";
import { meanReadout } from "./readouts/mean.ts";
import { sumReadout } from "./readouts/sum.ts";

/** What tasks on whole graphs are built from; they receive it as `kit`. */
export const graphKit = {
  readouts: { sum: sumReadout, mean: meanReadout, max: maxReadout, attention: attentionReadout },
} as const;
export type GraphKit = typeof graphKit;
