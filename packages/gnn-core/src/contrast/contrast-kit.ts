import { graceHead } from "./grace.ts";
import { infomaxHead } from "./infomax.ts";
import { unchanged } from "./view.ts";

/** What tasks that compare views are built from; they receive it as `kit`. */
export const contrastKit = { unchanged, heads: { infomax: infomaxHead, nodeViews: graceHead } } as const;
export type ContrastKit = typeof contrastKit;
