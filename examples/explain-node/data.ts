import { DenseFeatureStore, graphFromEdges, splitCode, type TrainingData } from "@hopwise/gnn-core";

const numNodes = 300;
const numMarked = 50;
const dim = 8;
/** The feature that carries the mark; all others are noise */
const mark = 2;

export interface PlantedClasses {
  readonly data: TrainingData;
  /** Some nodes of class 1 */
  readonly nodes: readonly number[];
  /** The one marked in-neighbour of each node of class 1 */
  readonly markedNeighborOf: ReadonlyMap<number, number>;
}

/** Every node has five in-neighbours; those with an even id, of class 1, have one that is marked, others have none. */
export async function plantedClasses(): Promise<PlantedClasses> {
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const plain = () => numMarked + Math.floor(random() * (numNodes - numMarked));
  const [src, dst]: [number[], number[]] = [[], []];
  const markedNeighborOf = new Map<number, number>();
  for (let node = 0; node < numNodes; node++) {
    const last = node % 2 === 0 ? Math.floor(random() * numMarked) : plain();
    if (node % 2 === 0) markedNeighborOf.set(node, last);
    src.push(plain(), plain(), plain(), plain(), last);
    dst.push(node, node, node, node, node);
  }
  const features = Float32Array.from({ length: numNodes * dim }, random);
  for (let node = 0; node < numNodes; node++) features[node * dim + mark] = node < numMarked ? 5 : 0;
  const data: TrainingData = {
    graph: await graphFromEdges({ src, dst, numNodes }),
    features: new DenseFeatureStore(dim, [features]),
    split: new Int8Array(numNodes).fill(splitCode.train),
    labels: Int32Array.from({ length: numNodes }, (_, node) => (node + 1) % 2),
    numClasses: 2,
  };
  return { data, nodes: [60, 80, 100, 120, 140], markedNeighborOf };
}
