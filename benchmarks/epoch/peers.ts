import { type Ceilings, peerMachine } from "./ceilings.ts";

/** DGL 1.1.3 on make_graph.py's graphs, batches of 1,024, one thread (peer-baselines: tables A and D). */
interface DglRow {
  /** CPU seconds per batch with the usual dropout (SAGE 0.5, GAT 0.6) and, where timed, without any */
  readonly seconds: number;
  readonly withoutDropout?: number;
  readonly rssMiB: number;
}

const dgl: Record<string, DglRow> = {
  "products10 sage 15,10,5": { seconds: 1.395, withoutDropout: 1.025, rssMiB: 1397 },
  "products10 sage 25,10": { seconds: 0.233, withoutDropout: 0.184, rssMiB: 886 },
  "products10 gat 15,10,5": { seconds: 0.67, rssMiB: 894 },
  "reddit4 sage 15,10,5": { seconds: 1.381, rssMiB: 1247 },
  "reddit4 sage 25,10": { seconds: 0.65, rssMiB: 1182 },
  "reddit4 gat 15,10,5": { seconds: 0.838, rssMiB: 1206 },
};

/** CPU seconds of SAGE 3×256 over the whole graph, layer by layer in one piece, of two threads together. */
const dglInference: Record<string, number> = { products10: 5.13 };

const usualDropout: Record<string, number> = { sage: 0.5, gat: 0.6 };

export interface PeerRun {
  readonly graph: string;
  readonly model: string;
  readonly fanouts: string;
  readonly dropout: number;
  readonly isPeerSetting: boolean;
}

export interface PeerFigure {
  /** CPU seconds as measured on the peers' machine */
  readonly measured: number;
  /**
   * The peer's time scaled to this machine, at best and at worst for DGL: divided by the larger and smaller ratio of
   * ceilings
   */
  readonly scaled: readonly [number, number];
  /** Our figure divided by each of them, in the same order */
  readonly ratio: readonly [number, number];
  readonly ceilingRatios: { readonly sgemm: number; readonly copy: number };
}

/** DGL's figure for this run beside ours, null where none was measured. */
export function dglFigure(run: PeerRun, ours: number, ceilings: Ceilings): PeerFigure | null {
  const row = run.isPeerSetting ? dgl[`${run.graph} ${run.model} ${run.fanouts}`] : undefined;
  const hasUsual = run.dropout === usualDropout[run.model];
  const measured = hasUsual ? row?.seconds : run.dropout === 0 ? row?.withoutDropout : undefined;
  return measured === undefined ? null : compare(measured, ours, ceilings);
}

export function dglInferenceFigure(run: PeerRun, ours: number, ceilings: Ceilings): PeerFigure | null {
  const isPeerModel = run.model === "sage" && run.fanouts.split(",").length === 3 && run.isPeerSetting;
  const measured = isPeerModel ? dglInference[run.graph] : undefined;
  return measured === undefined ? null : compare(measured, ours, ceilings);
}

/** Peak resident memory of DGL's process in MiB, null where it was not measured. */
export function dglRssMiB({ graph, model, fanouts, isPeerSetting }: PeerRun): number | null {
  return (isPeerSetting && dgl[`${graph} ${model} ${fanouts}`]?.rssMiB) || null;
}

function compare(measured: number, ours: number, { sgemmGflops, copyGBs }: Ceilings): PeerFigure {
  const ceilingRatios = { sgemm: sgemmGflops / peerMachine.sgemmGflops, copy: copyGBs / peerMachine.copyGBs };
  const both = [ceilingRatios.sgemm, ceilingRatios.copy];
  const scaled = [measured / Math.max(...both), measured / Math.min(...both)] as const;
  return { measured, scaled, ratio: [ours / scaled[0], ours / scaled[1]], ceilingRatios };
}
