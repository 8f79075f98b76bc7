/** Several labels per node, as the rows of a sparse 0/1 matrix. */
export interface LabelSets {
  readonly numNodes: number;
  readonly numClasses: number;
  /** int32 [numNodes + 1] */
  readonly indptr: Int32Array;
  /** int32: the classes of each node, ascending */
  readonly indices: Int32Array;
  /** int8 [numNodes]: 1 where the labels are known; a known node may have none */
  readonly known: Int8Array;
}

export function hasLabel({ indptr, indices }: LabelSets, node: number, label: number): boolean {
  for (let i = indptr[node] as number; i < (indptr[node + 1] as number); i++) {
    if (indices[i] === label) return true;
  }
  return false;
}

/** The rows of some nodes as 0 and 1, float32 [nodes.length · numClasses]. */
export function labelTargets({ numClasses, indptr, indices }: LabelSets, nodes: Int32Array): Float32Array {
  const targets = new Float32Array(nodes.length * numClasses);
  for (let row = 0; row < nodes.length; row++) {
    const node = nodes[row] as number;
    for (let i = indptr[node] as number; i < (indptr[node + 1] as number); i++) {
      targets[row * numClasses + (indices[i] as number)] = 1;
    }
  }
  return targets;
}

/**
 * Builds sets from lists of labels.
 *
 * @param labels the labels of each node in any order, null = not known
 */
export function labelSetsOf(labels: readonly (readonly number[] | null)[], numClasses: number): LabelSets {
  const indptr = new Int32Array(labels.length + 1);
  const sorted = labels.map((set) => [...new Set(set ?? [])].toSorted((a, b) => a - b));
  for (const [node, set] of sorted.entries()) indptr[node + 1] = (indptr[node] as number) + set.length;
  return {
    numNodes: labels.length,
    numClasses,
    indptr,
    indices: Int32Array.from(sorted.flat()),
    known: Int8Array.from(labels, (set) => (set === null ? 0 : 1)),
  };
}
