import type { SamplerObjection } from "../components/define-sampler.ts";
import { onePerHop } from "./fanouts.ts";

interface RelationOptions {
  readonly perRelation: boolean;
  readonly relationFanouts: Readonly<Record<string, readonly number[]>>;
  readonly edgeDir: "in" | "out" | "both";
  readonly probability: "uniform" | "weight";
}

/** What does not go with fanouts of single relations, before anything is known of the graph. */
export function relationObjection(options: RelationOptions, numHops: number): SamplerObjection | null {
  const { perRelation, relationFanouts, edgeDir, probability } = options;
  const names = Object.keys(relationFanouts);
  if (!perRelation) {
    if (names.length === 0) return null;
    const message = "relationFanouts are read with perRelation: true alone; set it, or leave them out.";
    return { option: "relationFanouts", message };
  }
  if (edgeDir !== "in" || probability !== "uniform") {
    const message = 'perRelation draws uniformly along in-edges; use "edgeDir": "in" and "probability": "uniform".';
    return { option: "perRelation", message };
  }
  const wrong = names
    .map((name) => onePerHop(`relationFanouts of ${name}`, relationFanouts[name] ?? [], numHops))
    .find((objection) => objection !== null);
  return wrong ? { option: "relationFanouts", message: wrong.message } : null;
}
