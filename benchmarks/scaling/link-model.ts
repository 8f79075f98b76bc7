/** What the model is computed from: measured, but for the ranks and the link. */
export interface LinkModelInput {
  readonly ranks: number;
  /** Link of each host, each way */
  readonly linkGbits: number;
  /** CPU seconds of a step of a rank apart, and of one of two ranks together */
  readonly apartSeconds: number;
  readonly togetherSeconds: number;
  /** Rows, in-edges and ids that a rank gets or asks for in a step: of two ranks, and of `ranks` */
  readonly remoteBytes: { readonly ofTwo: number; readonly ofAll: number };
  /** Bytes of the summed gradients */
  readonly gradientBytes: number;
  /** Share of a rank's time that two ranks wait for the later one */
  readonly imbalance: number;
}

export interface LinkModel {
  readonly isModel: true;
  readonly ranks: number;
  readonly linkGbits: number;
  readonly remoteBytesPerStep: number;
  readonly seconds: { readonly compute: number; readonly rows: number; readonly gradients: number };
  /** Throughput as a share of that of as many ranks apart */
  readonly scaling: number;
}

/**
 * Ranks on hosts of their own with a core each:
 *
 *   compute    a step apart, and the work of communicating as measured with two ranks, in proportion to the bytes
 *   rows       remoteBytes / link: hidden as far as compute takes longer, since batches are made ahead
 *   gradients  2·(k − 1)/k · gradientBytes / link (a ring): not hidden
 *   scaling    (1 − imbalance) · apart / (max(compute, rows) + gradients)
 *
 * Left out: latencies, switches that are shared, and that the latest of eight ranks is later than that of two.
 */
export function linkModel(input: LinkModelInput): LinkModel {
  const { ranks, linkGbits, apartSeconds, togetherSeconds, remoteBytes, gradientBytes, imbalance } = input;
  const bytesPerSecond = (linkGbits * 1e9) / 8;
  const work = Math.max(0, togetherSeconds - apartSeconds);
  const compute = apartSeconds + work * (remoteBytes.ofTwo > 0 ? remoteBytes.ofAll / remoteBytes.ofTwo : 1);
  const rows = remoteBytes.ofAll / bytesPerSecond;
  const gradients = ((2 * (ranks - 1)) / ranks) * (gradientBytes / bytesPerSecond);
  const scaling = ((1 - imbalance) * apartSeconds) / (Math.max(compute, rows) + gradients);
  const seconds = { compute, rows, gradients };
  return { isModel: true, ranks, linkGbits, remoteBytesPerStep: remoteBytes.ofAll, seconds, scaling };
}
