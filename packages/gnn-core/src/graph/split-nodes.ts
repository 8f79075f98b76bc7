import { keyedOrder } from "../random/keyed-order.ts";
import type { SplitOptions } from "../spec/train-options.ts";

/** Values of `split.npy`. */
export const splitCode = { none: 0, train: 1, val: 2, test: 3 } as const;

/** A split that nodes are trained on or evaluated with */
export type NamedSplit = Exclude<keyof typeof splitCode, "none">;

type RandomSplit = Extract<SplitOptions, { type: "random" }>;

/**
 * Draws train, val and test nodes among the labelled ones; unlabelled nodes get none. With `stratify` each class is
 * cut on its own. A node's place depends on (seed, class, NodeIndex) alone. Shares that add up to less than 1
 * leave the rest out; sizes are rounded at the borders, so the three differ from their shares by less than one node.
 *
 * @param labels int32 [numNodes] class or -1
 * @returns int8 [numNodes]
 */
export function randomSplit(labels: Int32Array, options: RandomSplit): Int8Array {
  const split = new Int8Array(labels.length);
  for (const [group, nodes] of groupsOf(labels, options.stratify)) {
    const order = keyedOrder(nodes, options.seed, group);
    const train = Math.round(options.train * order.length);
    const val = Math.round((options.train + options.val) * order.length);
    const test = Math.round(Math.min(1, options.train + options.val + options.test) * order.length);
    for (let i = 0; i < test; i++) {
      split[order[i]!] = i < train ? splitCode.train : i < val ? splitCode.val : splitCode.test;
    }
  }
  return split;
}

/**
 * A split with a share of each class's training nodes in place of validation nodes, where none is labelled; else as it
 * is. A class whose share is less than half a node keeps all of its own. Folds have no node in common, and those of
 * val = 1 / k hold each training node out once.
 *
 * @param labels int32 [numNodes] class or -1
 * @param fold   which share of that size, from 0
 * @returns int8 [numNodes]
 */
export function withHeldOut(split: Int8Array, labels: Int32Array, val: number, fold = 0): Int8Array {
  if (split.some((code, node) => code === splitCode.val && labels[node]! >= 0)) return split;
  const trained = labels.map((label, node) => (split[node] === splitCode.train ? label : -1));
  const held = split.slice();
  for (const [group, nodes] of groupsOf(trained, true)) {
    const order = keyedOrder(nodes, 0, group);
    const [from, to] = [fold + 1, fold].map((folds) => placeBefore(order.length, folds * val)) as [number, number];
    for (const node of order.subarray(from, to)) held[node] = splitCode.val;
  }
  return held;
}

/** The place among so many that leaves this share of them behind it. */
function placeBefore(count: number, share: number): number {
  return Math.round(Number(Math.max(0, 1 - share).toPrecision(12)) * count);
}

function groupsOf(labels: Int32Array, stratify: boolean): Map<number, Int32Array> {
  const groups = new Map<number, number[]>();
  for (let node = 0; node < labels.length; node++) {
    const label = labels[node]!;
    if (label < 0) continue;
    const group = stratify ? label : 0;
    const members = groups.get(group);
    if (members) members.push(node);
    else groups.set(group, [node]);
  }
  return new Map([...groups].map(([group, nodes]) => [group, Int32Array.from(nodes)]));
}

export interface SplitCounts {
  readonly train: number;
  readonly val: number;
  readonly test: number;
  readonly none: number;
}

export function countSplit(split: Int8Array): SplitCounts {
  const counts = [0, 0, 0, 0];
  for (const code of split) counts[code]! += 1;
  const [none = 0, train = 0, val = 0, test = 0] = counts;
  return { train, val, test, none };
}
