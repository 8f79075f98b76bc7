import type { z } from "zod";

/** What every component has: a name in the spec, a version in the manifests, documented options. */
export interface ComponentBase<Options extends z.ZodType = z.ZodType> {
  /** The word used in a spec: `"model": { "type": "<name>" }`. */
  readonly name: string;
  /** Raised whenever the same options would give other bits; part of every reuse key. */
  readonly version: number;
  readonly title: string;
  /** One sentence for the form and the docs. */
  readonly summary: string;
  /** zod object: every field has a default and `.describe()` help; ranges by `.min()`/`.max()`. */
  readonly options: Options;
  /** Paper or reference, for the docs. */
  readonly reference?: string;
}

/** In the order of the catalogue; a component's file is called `<name>.<kind>.ts`. */
export const componentKinds = ["task", "model", "sampler", "partitioner", "reader", "step"] as const;
export type ComponentKind = (typeof componentKinds)[number];
