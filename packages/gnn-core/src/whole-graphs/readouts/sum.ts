import { gspmm } from "../../ops/message-passing.ts";
import type { MakeReadout } from "./readout.ts";

/**
 * h_g = Σ_v h_v. The only one of the plain readouts that tells how often a row occurs: Xu et al. 2019
 * (arXiv:1810.00826), section 4.2.
 */
export const sumReadout: MakeReadout = () => ({
  variables: [],
  read: (pool, rows) => gspmm(pool, "copySrc", "sum", { src: rows }),
});
