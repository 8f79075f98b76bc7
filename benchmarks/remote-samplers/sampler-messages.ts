export interface SamplerTask {
  /** Folder of the shaped graph, which every process maps */
  readonly dir: string;
  readonly fanouts: number[];
  readonly seed: number;
  /** Connections are encrypted with it, as in jobs */
  readonly secret: readonly number[];
}

export type FromSampler =
  | { readonly bench: "ready"; readonly endpoint: string }
  | { readonly bench: "cpu"; readonly seconds: number };
