import { type Ceilings, peerMachine } from "./ceilings.ts";

/** DGL 1.1.3 on make_graph.py's graphs: CPU seconds per batch of 1,024, one thread, hidden 256, dropout 0.5 and 0. */
const dgl: Record<string, readonly [withDropout: number, without: number | null]> = {
  "products10 15,10,5": [1.395, 1.025],
  "products10 25,10": [0.233, 0.184],
  "reddit4 15,10,5": [1.381, null],
  "reddit4 25,10": [0.65, null],
};

export interface PeerFigure {
  /** CPU seconds per batch as measured on the peers' machine */
  readonly measured: number;
  /** The same on this machine at best and at worst for DGL: divided by the larger and the smaller ratio of ceilings */
  readonly scaled: readonly [number, number];
  readonly ratios: { readonly sgemm: number; readonly copy: number };
}

/** DGL's figure for this run, null where none was measured. */
export function dglFigure(
  run: { readonly shape: string; readonly fanouts: string; readonly dropout: number; readonly isPeerSetting: boolean },
  { sgemmGflops, copyGBs }: Ceilings,
): PeerFigure | null {
  const row = run.isPeerSetting ? dgl[`${run.shape} ${run.fanouts}`] : undefined;
  const measured = row && (run.dropout === 0.5 ? row[0] : run.dropout === 0 ? row[1] : null);
  if (!measured) return null;
  const ratios = { sgemm: sgemmGflops / peerMachine.sgemmGflops, copy: copyGBs / peerMachine.copyGBs };
  const [low, high] = [Math.min(ratios.sgemm, ratios.copy), Math.max(ratios.sgemm, ratios.copy)];
  return { measured, scaled: [measured / high, measured / low], ratios };
}
