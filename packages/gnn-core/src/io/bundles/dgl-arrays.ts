import type { Bundle, BundleContext } from "./bundle.ts";
import { arraysOfArchive, joinArrays } from "./numpy-arrays.ts";
import { arraysBundle } from "./numpy-graph.ts";

const ofArrays = /^(?:(.*)\/)?([\w-]+)_(data|graph)\.npz$/;

/**
 * Pairs of archives of numpy as DGL publishes Reddit, among the names: `reddit_graph.npz`, an adjacency matrix of
 * scipy, and `reddit_data.npz` with `feature`, `label` and `node_types`: 1 for train, 2 for val, 3 for test.
 *
 * https://docs.dgl.ai/generated/dgl.data.RedditDataset.html
 */
export function findDglArrays(names: readonly string[]): Bundle[] {
  const stems = new Map<string, Map<string, string>>();
  for (const name of names) {
    const [, folder = "", stem = "", part] = ofArrays.exec(name) ?? [];
    if (part === undefined) continue;
    const key = `${folder}/${stem}`;
    stems.set(key, (stems.get(key) ?? new Map<string, string>()).set(part, name));
  }
  const whole = [...stems.values()].filter((parts) => parts.size === 2);
  return whole.map((parts) => arraysBundle(parts.get("graph") as string, parts, openBoth));
}

async function openBoth({ open, limits }: BundleContext) {
  const opened = [];
  for (const part of ["graph", "data"]) opened.push(await arraysOfArchive((await open(part))!, limits));
  return joinArrays(opened);
}
