const classes = ["maths", "music", "garden"] as const;
const numNodes = 300;
const edgesPerNode = 4;

/** Two small files of a graph with three communities, to see every page work before one's own data is at hand. */
export function sampleFiles(): readonly [edges: File, nodes: File] {
  const random = minimalStandard(2026);
  const ids = Array.from({ length: numNodes }, (_, index) => `person-${String(index).padStart(3, "0")}`);
  const nodes = ids.map((id, index) => {
    const own = index % classes.length;
    const split = ["train", "train", "val", "test"][Math.floor(index / classes.length) % 4];
    const features = classes.map((_, at) => ((at === own ? 0.8 : 0) + random()).toFixed(3));
    return [id, classes[own], split, ...features].join(",");
  });
  const edges = ids.flatMap((id, index) =>
    Array.from({ length: edgesPerNode }, () => {
      const any = Math.floor(random() * numNodes);
      // Nine of ten edges stay in the community: those whose index leaves the same remainder.
      const other = random() < 0.9 ? (any - (any % classes.length) + (index % classes.length)) % numNodes : any;
      return `${id},${ids[other]}`;
    }),
  );
  return [
    csvFile("edges.csv", ["src,dst", ...edges]),
    csvFile("nodes.csv", ["id,label,split,numbers,notes,leaves", ...nodes]),
  ];
}

function csvFile(name: string, lines: readonly string[]): File {
  return new File([`${lines.join("\n")}\n`], name, { type: "text/csv" });
}

/** Park and Miller's minimal standard generator, in [0, 1): the same files for everyone. */
function minimalStandard(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state - 1) / 2_147_483_646;
  };
}
