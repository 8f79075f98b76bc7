import type { ArrayWriter } from "../export/map/array-writer.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import type { LinkDecoder } from "../links/decoders/link-decoder.ts";
import { readPairs } from "../links/links-artifact.ts";
import type { NodePairs } from "../links/node-pairs.ts";
import { pairFigures } from "../links/pair-figures.ts";
import { relationFigures, type ScoredLinks } from "../links/relation-figures.ts";
import { type NodeRows, scorePairs } from "../links/score-pairs.ts";
import { parseLinksInfo } from "../spec/links-info.ts";
import type { RecommendedInfo } from "../spec/result-info.ts";

interface Judging {
  readonly nodes: NodeRows;
  readonly decoder: LinkDecoder;
  readonly links: ArtifactDir;
  /** Names of the graph's relations, and which of them join two nodes; null: edges are all alike */
  readonly relations: {
    readonly names: readonly string[];
    readonly between: (src: number, dst: number) => readonly number[];
  } | null;
  readonly hitsAt: readonly number[] | undefined;
}

interface ScoredSide {
  readonly pairs: NodePairs;
  readonly positives: Float32Array;
  readonly others: NodePairs;
  readonly negatives: Float32Array;
}

/** Entries of `byRelation`: what a manifest and a page hold with ease, and more than data sets of the field have. */
const mostRelations = 500;

const sides = [
  ["val", 2],
  ["test", 3],
] as const;

/** Scores the held-out pairs, writes `pairs`, `pair-sides` and `pair-scores`, and counts their figures. */
export async function writeHeldOutPairs(
  writer: ArrayWriter,
  { nodes, decoder, links, relations, hitsAt }: Judging,
): Promise<Pick<RecommendedInfo, "numPairs" | "metrics" | "byRelation">> {
  const metrics: Record<string, number | null> = {};
  const [ends, codes, scores]: [number[], number[], number[]] = [[], [], []];
  const add = ({ src, dst }: NodePairs, code: number, found: Float32Array) => {
    for (const [i, score] of found.entries()) {
      ends.push(src[i] as number, dst[i] as number);
      codes.push(code);
      scores.push(score);
    }
  };
  const scored: ScoredSide[] = [];
  for (const [split, code] of sides) {
    const [pairs, others] = [readPairs(links, split), readPairs(links, `${split}-negatives`)];
    const positives = await scorePairs(nodes, decoder, pairs);
    const negatives = await scorePairs(nodes, decoder, others);
    add(pairs, code, positives);
    add(others, -code, negatives);
    scored.push({ pairs, positives, others, negatives });
    for (const [name, value] of Object.entries(pairFigures(positives, negatives, hitsAt)))
      metrics[`${split}/${name}`] = value;
  }
  await writer.write("pairs", "int32", Int32Array.from(ends), 2);
  await writer.write("pair-sides", "int8", Int8Array.from(codes));
  await writer.write("pair-scores", "float32", Float32Array.from(scores));
  return {
    numPairs: scores.length,
    metrics,
    byRelation: relations && areTold(links, scored) ? figuresByRelation(scored, relations, hitsAt) : [],
  };
}

/** Whether it is known which pairs stand beside a relation's links: those of files have relations, or do for all. */
function areTold(links: ArtifactDir, scored: readonly ScoredSide[]): boolean {
  const { keptNegatives } = parseLinksInfo(links).options;
  return keptNegatives === "drawn" || scored.every(({ others }) => others.relations !== undefined);
}

/** The relations with the most held-out links first. */
function figuresByRelation(
  scored: readonly ScoredSide[],
  { names, between }: NonNullable<Judging["relations"]>,
  hitsAt: readonly number[] = [],
): RecommendedInfo["byRelation"] {
  const links = scored.map(({ pairs: { src, dst, relations: own }, positives, others, negatives }): ScoredLinks => {
    const joining = (link: number) => between(src[link] as number, dst[link] as number);
    const told = others.relations && { relationAt: others.relations };
    return { positives, negatives, ...told, relationsOf: (link) => (own ? [own[link] as number] : joining(link)) };
  });
  const numLinks = ({ counts }: { readonly counts: readonly number[] }) =>
    counts.reduce((sum, count) => sum + count, 0);
  return relationFigures(links, hitsAt)
    .toSorted((a, b) => numLinks(b) - numLinks(a))
    .slice(0, mostRelations)
    .map(({ relations, counts, figures }) => ({
      relations: relations.map((relation) => names[relation] as string),
      numLinks: { val: counts[0] as number, test: counts[1] as number },
      metrics: Object.fromEntries(
        sides.flatMap(([split], side) =>
          Object.entries(figures[side] ?? {}).map(([name, value]) => [`${split}/${name}`, value]),
        ),
      ),
    }));
}
