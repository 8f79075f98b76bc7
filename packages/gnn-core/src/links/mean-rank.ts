/**
 * The rank of one node among candidates by score, from 1. The tie rule: candidates of equal score share the mean of the
 * places that they take,
 *   rank = 1 + #{ score > s } + #{ others with score = s } / 2,
 * so that constant scores give (candidates + 1) / 2 and no order of the nodes can flatter a model. A score that is not
 * a number stands above every other one's, and its own rank is the last.
 *
 * @param scores   of every node, float32 [numNodes]
 * @param leftOut  nodes that are no candidates, each once; whether `target` is among them makes no difference
 */
export function meanRank(scores: Float32Array, target: number, leftOut: Iterable<number>): number {
  const own = scores[target] as number;
  const count = { above: 0, level: 0 };
  const add = (score: number, weight: number) => {
    if (score === own) count.level += weight;
    else if (!(score < own)) count.above += weight;
  };
  for (let node = 0; node < scores.length; node++) if (node !== target) add(scores[node] as number, 1);
  for (const node of leftOut) if (node !== target) add(scores[node] as number, -1);
  return 1 + count.above + count.level / 2;
}
