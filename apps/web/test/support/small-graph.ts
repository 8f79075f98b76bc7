/** A small graph of three communities as CSV, with ids that careless readers merge or mangle. */
export interface SmallGraph {
  readonly edges: string;
  readonly nodes: string;
  readonly ids: readonly string[];
}

export const trapIds = ["007", "7", "000413E7", "1e5", "🐙", 'a,"b"'];
const classes = ["fish", "bird", "plant"];

export function smallGraph(numNodes = 240, seed = 1): SmallGraph {
  const random = lcg(seed);
  const ids = [...trapIds, ...Array.from({ length: numNodes - trapIds.length }, (_, i) => `n${i}`)];
  const nodes = ids.map((id, i) => {
    const split = ["train", "train", "val", "test"][Math.floor(i / classes.length) % 4] ?? "none";
    const features = classes.map((_, c) => ((c === i % classes.length ? 1 : 0) + random()).toFixed(3));
    return [quote(id), classes[i % classes.length], split, ...features].join(",");
  });
  const edges = Array.from({ length: numNodes * 4 }, (_, e) => {
    const src = e % numNodes;
    const isWithin = random() < 0.85;
    const dst = isWithin ? sameCommunity(src, numNodes, random) : Math.floor(random() * numNodes);
    return `${quote(ids[src] ?? "")},${quote(ids[dst] ?? "")}`;
  });
  return {
    ids,
    nodes: `id,label,split,f0,f1,f2\n${nodes.join("\n")}\n`,
    edges: `src,dst\n${edges.join("\n")}\n`,
  };
}

function sameCommunity(node: number, numNodes: number, random: () => number): number {
  const size = Math.floor(numNodes / classes.length);
  return (Math.floor(random() * size) * classes.length + (node % classes.length)) % numNodes;
}

function quote(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Park and Miller's minimal standard generator, in [0, 1). */
function lcg(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state - 1) / 2_147_483_646;
  };
}
