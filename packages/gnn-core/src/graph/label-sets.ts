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

/** The sets of some nodes, in their order. */
export function takeLabelSets({ numClasses, indptr, indices, known }: LabelSets, nodes: Int32Array): LabelSets {
  const offsets = new Int32Array(nodes.length + 1);
  for (const [row, node] of nodes.entries()) {
    offsets[row + 1] = (offsets[row] as number) + (indptr[node + 1] as number) - (indptr[node] as number);
  }
  const taken = new Int32Array(offsets[nodes.length] as number);
  for (const [row, node] of nodes.entries()) {
    taken.set(indices.subarray(indptr[node], indptr[node + 1]), offsets[row]);
  }
  const takenKnown = Int8Array.from(nodes, (node) => known[node] as number);
  return { numNodes: nodes.length, numClasses, indptr: offsets, indices: taken, known: takenKnown };
}

/** The sets of several parts as one: the nodes of each follow those before it. */
export function joinLabelSets(parts: readonly LabelSets[], numClasses: number): LabelSets {
  const numNodes = parts.reduce((sum, part) => sum + part.numNodes, 0);
  const indptr = new Int32Array(numNodes + 1);
  const indices = new Int32Array(parts.reduce((sum, part) => sum + part.indices.length, 0));
  const known = new Int8Array(numNodes);
  let node = 0;
  let end = 0;
  for (const part of parts) {
    for (let i = 0; i < part.numNodes; i++) indptr[node + i + 1] = end + (part.indptr[i + 1] as number);
    indices.set(part.indices, end);
    known.set(part.known, node);
    node += part.numNodes;
    end += part.indices.length;
  }
  return { numNodes, numClasses, indptr, indices, known };
}
