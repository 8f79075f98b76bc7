import { keyedHash } from "../random/keyed-order.ts";
import type { NodeGroups } from "./node-groups.ts";

/** What nodes are drawn from */
export interface NodePool {
  readonly numNodes: number;
  /** null: all nodes are alike */
  readonly groups: NodeGroups | null;
}

/**
 * The node that a key draws instead of one: all nodes of its type are equally likely, itself among them. Where nodes
 * have no types, any node.
 */
export function drawLike(node: number, { numNodes, groups }: NodePool, ...key: readonly number[]): number {
  const nodes = groups?.nodesOf(groups.typeOf(node));
  const place = Math.floor((keyedHash(...key) / 2 ** 32) * (nodes?.length ?? numNodes));
  return nodes ? (nodes[place] as number) : place;
}
