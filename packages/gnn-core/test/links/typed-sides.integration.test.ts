import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { ArtifactDir } from "../../src/index.ts";
import { readNpy } from "../../src/io/npy.ts";
import { readPairs } from "../../src/links/links-artifact.ts";
import { linksInfo } from "../../src/spec/links-info.ts";
import { modelInfo } from "../../src/spec/model-info.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { splitLinksStep } from "../../src/steps/split-links.step.ts";
import { trainStep } from "../../src/steps/train.step.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";
import { runStepRanks } from "../support/run-step-ranks.ts";
import { seededRandom } from "../support/seeded-random.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const numUsers = 40;
const numFilms = 30;
/** Users watch films of their kind, on a day each and with a side; films have genres, which have neither. */
const watched = (() => {
  const random = seededRandom(4);
  const seen = new Map<string, { user: number; film: number; day: number; side: string }>();
  while (seen.size < 300) {
    const user = Math.floor(random() * numUsers);
    const film = 2 * Math.floor((random() * numFilms) / 2) + (user % 2);
    if (seen.has(`${user},${film}`)) continue;
    const row = seen.size;
    const side = row % 5 === 0 ? "test" : row % 5 === 1 ? "val" : "train";
    seen.set(`${user},${film}`, { user, film, day: 1000 - row, side });
  }
  return [...seen.values()];
})();
const films = Array.from({ length: numFilms }, (_, i) => i);
const files = {
  "users.csv": `id\n${Array.from({ length: numUsers }, (_, i) => `u${i}`).join("\n")}\n`,
  "films.csv": `id\n${films.map((i) => `f${i}`).join("\n")}\n`,
  "genres.csv": "id\ng0\ng1\n",
  "watched.csv": `user,film,day,side\n${watched
    .map(({ user, film, day, side }) => `u${user},f${film},${day},${side}`)
    .join("\n")}\n`,
  "genre.csv": `film,genre\n${films.map((i) => `f${i},g${i % 2}`).join("\n")}\n`,
};
const nodeTypes = {
  film: { files: ["films.csv"], id: "id" },
  genre: { files: ["genres.csv"], id: "id" },
  user: { files: ["users.csv"], id: "id" },
};
const genre = { source: "film", name: "of", target: "genre", files: ["genre.csv"], src: "film", dst: "genre" };
const watches = { source: "user", name: "watches", target: "film", files: ["watched.csv"], src: "user", dst: "film" };

// NodeIndex counts type after type: films, genres, users.
const indexOf = { film: (i: number) => i, genre: (i: number) => numFilms + i, user: (i: number) => numFilms + 2 + i };
const pairOf = ({ user, film }: { user: number; film: number }) => `${indexOf.user(user)}-${film}`;
const pairsOf = (rows: typeof watched) => new Set(rows.map(pairOf));

let graph: ArtifactDir;
beforeAll(async () => {
  const mapping = { nodeTypes, relations: [genre, { ...watches, split: "side", time: "day" }] };
  graph = await runStep(ingestStep, { files: await filesArtifact(files) }, mapping);
});

const cut = (split: object, relations: "each" | "alike" = "each") =>
  runStep(splitLinksStep, { graph }, { split, relations });
const givenSides = { type: "given" };
const byTime = { type: "time", val: 0.2, test: 0.2 };

/** The links of a side by their ends in the files' direction, whichever they are stored in */
function heldOut(links: ArtifactDir, side: "val" | "test"): Set<string> {
  const { src, dst } = readPairs(links, side);
  const firstUser = numFilms + 2;
  return new Set(Array.from(src, (u, i) => (u >= firstUser ? `${u}-${dst[i]}` : `${dst[i]}-${u}`)));
}

/** Ends of the edges that carry messages */
async function messages({ dir }: ArtifactDir): Promise<string[]> {
  const indptr = Array.from((await readNpy(join(dir, "messages/indptr.npy"), "int64")).values, Number);
  const indices = (await readNpy(join(dir, "messages/indices.npy"), "int32")).values;
  return indptr
    .slice(0, -1)
    .flatMap((begin, dst) => Array.from(indices.subarray(begin, indptr[dst + 1]), (src) => `${src}-${dst}`));
}

describe.each([
  ["by a column of one relation", givenSides, watched.filter(({ side }) => side === "test")],
  ["by the times of one relation", byTime, watched.slice(0, 60)],
] as const)("links of several relations, split %s", (_how, split, test_) => {
  test.each(["each", "alike"] as const)("hold out its links alone, relations %s", async (relations) => {
    const links = await cut(split, relations);
    expect(heldOut(links, "test")).toEqual(pairsOf(test_));
    expect(heldOut(links, "val")).toEqual(
      pairsOf(split === byTime ? watched.slice(60, 120) : watched.filter(({ side }) => side === "val")),
    );
  });

  test("carry no message that is held out, nor its reverse; the other relation's edges all do", async () => {
    const carried = new Set(await messages(await cut(split)));
    for (const row of test_) {
      const [user, film] = [indexOf.user(row.user), row.film];
      expect(carried.has(`${user}-${film}`) || carried.has(`${film}-${user}`)).toBe(false);
    }
    for (const film of films) {
      const its = indexOf.genre(film % 2);
      expect(carried.has(`${film}-${its}`) && carried.has(`${its}-${film}`)).toBe(true);
    }
  });

  test("are learnt by a model of typed graphs", async () => {
    const links = await cut(split);
    const partition = { partition: { type: "random", options: { numParts: 2 } }, edges: "messages" };
    const parts = await runStep(partitionStep, { graph, links }, partition);
    const options = {
      task: { type: "linkPrediction", split, relations: "each", decoder: { type: "distMult" }, dim: 16 },
      features: { embedding: { dim: 16 } },
      model: { type: "rsage", options: { hiddenFeats: 16, numLayers: 2, dropout: 0 } },
      sampling: { type: "neighbor", options: { fanouts: [5, 5] } },
      train: { epochs: 20, batchSize: 128, optimizer: { options: { lr: 0.03 } } },
    };
    const model = await runStepRanks(trainStep, { parts, links }, options, { worldSize: 1 });
    // Half of all films are of a user's kind, and so are half of the pairs that links are judged against.
    expect(modelInfo.parse(model.manifest.info).metrics["test/auc"]).toBeGreaterThan(0.65);
  });
});

test("edges of a relation without times have always been there, and no share is counted of them", async () => {
  const links = await cut(byTime);
  // Each row is two edges, there and back: a fifth of 300 rows are 60.
  expect(linksInfo.parse(links.manifest.info).links).toEqual({ train: 420, val: 120, test: 120 });
  const times = (await readNpy(join(links.dir, "messages/times.npy"), "int32")).values;
  expect(times.filter((time) => time === -1)).toHaveLength(2 * numFilms);
  expect(times.filter((time) => time >= 0)).toHaveLength(2 * 180);
});

test("sides and times of a labelled relation are those of its links as well", async () => {
  const relations = [genre, { ...watches, targets: ["day"], split: "side" }];
  const built = await runStep(ingestStep, { files: await filesArtifact(files) }, { nodeTypes, relations });
  const links = await runStep(splitLinksStep, { graph: built }, { split: givenSides, relations: "each" });
  expect(heldOut(links, "test")).toEqual(pairsOf(watched.filter(({ side }) => side === "test")));
});

describe("a relation whose edges are all held out, beside one that is learnt", () => {
  // Likes follow what is watched, and are only judged.
  const liked = watched.slice(0, 50);
  const likes = { ...watches, name: "likes", files: ["liked.csv"], split: "side" };
  const likedFiles = (side: string) => ({
    ...files,
    "liked.csv": `user,film,side\n${liked.map(({ user, film }) => `u${user},f${(film + 2) % numFilms},${side}`).join("\n")}\n`,
  });
  const built = async (side: string, others: readonly object[]) =>
    runStep(ingestStep, { files: await filesArtifact(likedFiles(side)) }, { nodeTypes, relations: [...others, likes] });

  test("is built, and judged by weights that all relations share", async () => {
    const graph = await built("test", [{ ...genre }, watches]);
    const links = await runStep(splitLinksStep, { graph }, { split: givenSides, relations: "alike" });
    const asked = liked.map(({ user, film }) => `${indexOf.user(user)}-${(film + 2) % numFilms}`);
    expect(heldOut(links, "test")).toEqual(new Set(asked));
    const carried = new Set(await messages(links));
    for (const pair of asked) expect(carried.has(pair)).toBe(false);
  });

  test("is refused by name where each relation has weights of its own", async () => {
    const graph = await built("test", [genre, watches]);
    const split = runStep(splitLinksStep, { graph }, { split: givenSides, relations: "each" });
    await expect(split).rejects.toMatchObject({
      code: "SPEC_INVALID",
      place: { pointer: "/task/relations" },
      message: expect.stringMatching(/all links of "likes", "rev_likes" are held out.*alike/),
    });
  });

  test("may be split by chance, whatever the files say", async () => {
    const graph = await built("test", [genre, watches]);
    const links = await runStep(splitLinksStep, { graph }, { split: { type: "random" }, relations: "each" });
    expect(linksInfo.parse(links.manifest.info).links.train).toBeGreaterThan(0);
  });

  test("is refused with its file where no relation is left to learn from", async () => {
    const all = { ...likes, name: "saw", files: ["liked.csv"] };
    await expect(built("val", [all])).rejects.toMatchObject({
      code: "DATASET_VALUE_INVALID",
      place: { file: "liked.csv" },
      message: expect.stringContaining("of all 2 relations"),
    });
  });
});
