import { z } from "zod";
import { GnnError } from "../errors/gnn-error.ts";

const weight = z.number().min(0).max(1e6);

/** The prices of features are those of the authors' code; of edges see decision 0114. */
const schema = z.strictObject({
  /** Which class is explained; null: the predicted one */
  target: z.int().min(0).nullable().default(null),
  steps: z.int().min(1).max(100_000).default(200),
  lr: z.number().positive().max(10).default(0.1),
  seed: z.int().min(0).max(0xffffffff).default(0),
  /** Larger neighbourhoods are refused */
  maxEdges: z.int().min(1).max(1_000_000).default(10_000),
  /** How many edges, the heaviest, count as the important part in the fidelities */
  topEdges: z.int().min(1).default(10),
  /** How many features, the heaviest, count as the important part in the fidelities */
  topFeatures: z.int().min(1).default(10),
  /** Price of each edge kept */
  edgeSize: weight.default(0.05),
  /** Price of edges neither kept nor dropped, on average */
  edgeEntropy: weight.default(0.1),
  /** Price of features kept, on average */
  featureSize: weight.default(1),
  /** Price of features neither kept nor dropped, on average */
  featureEntropy: weight.default(0.1),
});

/** Every one may be left out. */
export type ExplainOptions = Partial<z.output<typeof schema>>;

/** @throws GnnError SPEC_INVALID naming the option */
export function explainOptions(given: ExplainOptions): Required<ExplainOptions> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new GnnError("SPEC_INVALID", `Option ${issue?.path.join(".") ?? ""} of explainNode: ${issue?.message}.`);
}
