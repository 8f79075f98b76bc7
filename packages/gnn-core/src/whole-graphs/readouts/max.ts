import { gspmm } from "../../ops/message-passing.ts";
import type { MakeReadout } from "./readout.ts";

/** h_g = max_v h_v, element by element: what occurs at all. Nodes that reach it together share its gradient. */
export const maxReadout: MakeReadout = () => ({
  variables: [],
  read: (pool, rows) => gspmm(pool, "copySrc", "max", { src: rows }),
});
