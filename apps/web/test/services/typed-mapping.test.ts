import { datasetSpec } from "@hopwise/contracts";
import { expect, test } from "vitest";
import { fittingSpec } from "../../src/services/dataset-mapping.ts";
import {
  repeatedIdsOf,
  specOfTypes,
  typedMappingOf,
  typesOf,
  withRepeatedIds,
} from "../../src/services/typed-mapping.ts";
import { typeOfIds } from "../../src/services/types-of-edges.ts";
import { previewFile } from "../support/preview-file.ts";

const file = (name: string, columns: readonly string[], roles: readonly string[] = []) =>
  previewFile(
    name,
    columns.map((column, i) => [column, roles[i] ?? "none"]),
  );
const files = [
  file("nodes_paper.csv", ["id", "topic", "part", "f"], ["id", "label", "split", "feature"]),
  file("nodes_author.csv", ["id"], ["id"]),
  file("more_authors.csv", ["id"], ["id"]),
  file("features_author.npz", []),
  file("writes.csv", ["a", "p", "share"], ["src", "dst", "weight"]),
  file("cites.csv", ["from", "to", "kind", "stars", "pages", "part", "day"], ["src", "dst"]),
];
const spec = datasetSpec.parse({
  nodeTypes: {
    paper: { files: ["nodes_paper.csv"], id: "id", label: "topic", split: "part", features: { columns: ["f"] } },
    author: { files: ["nodes_author.csv", "more_authors.csv"], id: "id", features: { file: "features_author.npz" } },
  },
  relations: [
    { source: "author", name: "writes", target: "paper", files: ["writes.csv"], src: "a", dst: "p", weight: "share" },
    { source: "paper", name: "cites", target: "paper", files: ["cites.csv"], src: "from", dst: "to", reverse: "cited" },
  ],
  missingNodes: "drop",
});

test("reading a spec of types and writing it again gives the spec", () => {
  const result = specOfTypes(files, typedMappingOf(files, spec));
  expect("spec" in result && datasetSpec.parse(result.spec)).toEqual(spec);
});

test("types without a file keep the ids that the edges name, and take those of a column on request", () => {
  const ratings = file("ratings.csv", ["user_id", "movie_id", "stars"], ["src", "dst", "weight"]);
  const movies = file("movies.csv", ["movie_id", "year"], ["id", "none"]);
  const given = datasetSpec.parse({
    nodeTypes: {
      user: { files: ["ratings.csv"], id: "user_id", repeatedIds: "last" },
      movie: { files: ["movies.csv"], id: "movie_id" },
    },
    relations: [
      {
        source: "user",
        name: "rated",
        target: "movie",
        files: ["ratings.csv"],
        src: "user_id",
        dst: "movie_id",
        weight: "stars",
      },
    ],
  });
  const mapping = typedMappingOf([ratings, movies], given);
  expect(mapping.uses).toEqual({ "ratings.csv": "relation", "movies.csv": "type" });
  expect(typesOf(mapping)).toEqual(["movie", "user"]);
  const result = specOfTypes([ratings, movies], mapping);
  expect("spec" in result && datasetSpec.parse(result.spec)).toEqual(given);

  const alone = typedMappingOf([ratings], null);
  const relation = alone.relations["ratings.csv"]!;
  const [source, target] = [typeOfIds(relation, "src")!, typeOfIds(relation, "dst")!];
  const chosen = specOfTypes([ratings], {
    ...alone,
    withoutFile: [source, target],
    relations: { "ratings.csv": { ...relation, source, target } },
  });
  const made = "spec" in chosen ? datasetSpec.parse(chosen.spec).nodeTypes : null;
  expect(made?.["user"]).toMatchObject({ files: ["ratings.csv"], id: "user_id", repeatedIds: "last" });
  expect(made?.["movie"]).toMatchObject({ files: ["ratings.csv"], id: "movie_id", repeatedIds: "last" });
});

test("repeated ids are replaced in the types that can have them so, and in the others no row is", () => {
  const mapping = typedMappingOf(files, spec);
  expect(repeatedIdsOf(mapping)).toBe("error");
  const result = specOfTypes(files, withRepeatedIds(mapping, "last"));
  const changed = "spec" in result ? datasetSpec.parse(result.spec) : null;
  const { paper, author } = spec.nodeTypes!;
  expect(changed?.nodeTypes).toEqual({ paper: { ...paper, repeatedIds: "last" }, author });
  const again = typedMappingOf(files, changed);
  expect(repeatedIdsOf(again)).toBe("last");
  expect(specOfTypes(files, again)).toEqual(result);
});

test("reading a relation with labels and writing it again gives the spec, and what is alone without them is asked about", () => {
  const labelled = { label: "kind", targets: ["stars"], features: ["pages"], split: "part", time: "day" };
  const [writes, cites] = spec.relations!;
  const withLabels = datasetSpec.parse({ ...spec, relations: [writes, { ...cites, ...labelled }] });
  const mapping = typedMappingOf(files, withLabels);
  const result = specOfTypes(files, mapping);
  expect("spec" in result && datasetSpec.parse(result.spec)).toEqual(withLabels);
  const roles = { ...mapping.relations["cites.csv"]!.roles, kind: "ignore", stars: "ignore" } as const;
  const relations = { ...mapping.relations, "cites.csv": { ...mapping.relations["cites.csv"]!, roles } };
  expect(specOfTypes(files, { ...mapping, relations })).toEqual({
    missing: ["cites.csv: feature goes with a label or a number to predict; choose one, or leave it out."],
  });
});

test("a new version with the same files begins with the types of the one before; with other files it does not", () => {
  expect(fittingSpec(files, spec, spec)).toBe(spec);
  expect(fittingSpec(files.slice(1), spec, null)).toBeNull();
  expect(
    fittingSpec(
      files.filter(({ name }) => !name.endsWith("npz")),
      spec,
      null,
    ),
  ).toBeNull();
});

test("without a proposal types are named after the files, and what is open is said file by file", () => {
  const mapping = typedMappingOf(files, null);
  expect(typesOf(mapping)).toEqual(["paper", "author", "more_authors"]);
  expect(mapping.owners["features_author.npz"]).toBe("author");
  expect(specOfTypes(files, mapping)).toEqual({
    missing: [
      "writes.csv: choose the types of nodes that it joins.",
      "cites.csv: choose the types of nodes that it joins.",
    ],
  });
});

test("a relation to a type that was renamed has to be chosen anew", () => {
  const mapping = typedMappingOf(files, spec);
  const types = { ...mapping.types, "nodes_paper.csv": { ...mapping.types["nodes_paper.csv"]!, name: "article" } };
  const result = specOfTypes(files, { ...mapping, types });
  expect(result).toEqual({
    missing: [
      "writes.csv: choose the types of nodes that it joins.",
      "cites.csv: choose the types of nodes that it joins.",
    ],
  });
});
