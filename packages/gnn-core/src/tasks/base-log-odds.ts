/**
 * Where the outputs of several labels start: at the log-odds of each label among the training nodes, ln(p·m / (n − m))
 * of m members among n nodes and p their weight, with half a node of each kind added so that none is infinite. An
 * untrained model then predicts the frequencies, and rare labels need no hundreds of steps to become unlikely (the
 * prior of Lin et al. 2017, arXiv:1708.02002).
 *
 * @param members how many training nodes have each label
 * @param weights float32 [numClasses], the p of each label
 * @returns       float32 [numClasses]
 */
export function baseLogOdds(members: Float64Array, numNodes: number, weights: Float32Array): Float32Array {
  return Float32Array.from(members, (count, c) =>
    Math.log(((weights[c] as number) * (count + 0.5)) / (numNodes - count + 0.5)),
  );
}
