/** Numbers to predict: named columns of one value per node. */
export interface NodeTargets {
  readonly names: readonly string[];
  /** float32 [numNodes · names.length], row by row; NaN = not known */
  readonly values: Float32Array;
}

/** Some columns of the targets, in the order of `columns`; null when one is not there. */
export function selectTargets({ names, values }: NodeTargets, columns: readonly string[]): NodeTargets | null {
  const at = columns.map((name) => names.indexOf(name));
  if (at.includes(-1)) return null;
  if (columns.length === names.length && at.every((from, to) => from === to)) return { names, values };
  const numNodes = values.length / names.length;
  const selected = new Float32Array(numNodes * at.length);
  for (let node = 0; node < numNodes; node++) {
    for (const [to, from] of at.entries()) {
      selected[node * at.length + to] = values[node * names.length + from] as number;
    }
  }
  return { names: columns, values: selected };
}

/** The targets of some nodes, in their order. */
export function takeTargets({ names, values }: NodeTargets, nodes: Int32Array): NodeTargets {
  const width = names.length;
  const taken = new Float32Array(nodes.length * width);
  for (const [row, node] of nodes.entries()) taken.set(values.subarray(node * width, (node + 1) * width), row * width);
  return { names, values: taken };
}

/** Whether any target of the node is known. */
export function knowsTarget({ names, values }: NodeTargets, node: number): boolean {
  for (let i = node * names.length; i < (node + 1) * names.length; i++) if (!Number.isNaN(values[i])) return true;
  return false;
}
