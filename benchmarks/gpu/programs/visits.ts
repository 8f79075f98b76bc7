import { noFeatures } from "../../../packages/gnn-core/src/features/no-features.ts";
import { dotDecoder } from "../../../packages/gnn-core/src/links/decoders/dot.ts";
import type { LinkLearning } from "../../../packages/gnn-core/src/links/link-task.ts";
import { infoNce } from "../../../packages/gnn-core/src/links/losses/info-nce.ts";
import { noNegatives } from "../../../packages/gnn-core/src/links/negatives/none.ts";
import { sharedTails } from "../../../packages/gnn-core/src/links/negatives/shared.ts";
import { splitLinks } from "../../../packages/gnn-core/src/links/split-links.ts";
import { seededRandom } from "../../../packages/gnn-core/test/support/seeded-random.ts";

/** Users, places and how often the former were at the latter */
export interface VisitsShape {
  readonly numUsers: number;
  readonly numPlaces: number;
  readonly numVisits: number;
  /** Columns of the rows that are learned */
  readonly dim: number;
  /** Places that each link is told from */
  readonly perLink: number;
}

/** The training pairs of gowalla as LightGCN's authors cut it, and the row of benchmarks/accuracy that learns them */
export const gowallaSized: VisitsShape = {
  numUsers: 29_858,
  numPlaces: 40_981,
  numVisits: 810_128,
  dim: 64,
  perLink: 1024,
};

/** What there is to learn of made-up visits: few places have most of them, and each user was at a place once. */
export async function visits({ numUsers, numPlaces, numVisits, dim, perLink }: VisitsShape) {
  const numNodes = numUsers + numPlaces;
  const random = seededRandom(7);
  const [src, dst] = [new Int32Array(numVisits), new Int32Array(numVisits)];
  let made = 0;
  for (let user = 0; user < numUsers; user++) {
    const end = Math.floor(((user + 1) * numVisits) / numUsers);
    for (const place of new Set(Array.from({ length: end - made }, () => Math.floor(numPlaces * random() ** 2)))) {
      src[made] = user;
      dst[made++] = numUsers + place;
    }
    // Those that came twice are made up for by the next user.
  }
  const nodeTypes = {
    codes: Int32Array.from({ length: numNodes }, (_, node) => Number(node >= numUsers)),
    names: ["user", "place"],
  };
  const split = await splitLinks(
    { src: src.subarray(0, made), dst: dst.subarray(0, made), numNodes, directed: false, nodeTypes },
    { sides: { type: "random", val: 0.0005, test: 0.0005, seed: 0 }, negatives: { perLink: 1, seed: 0 } },
  );
  const shared = sharedTails({ perLink, seed: 0, numNodes, groups: split.groups });
  const told = { loss: infoNce(0.1), learnsCosines: true, negatives: noNegatives(), shared };
  const links: LinkLearning = { split, dim, decoder: dotDecoder, recommends: { to: "user" }, ...told };
  return { links, data: { graph: split.graph, features: noFeatures(numNodes), split: new Int8Array(numNodes) } };
}
