import { type DatasetSpec, datasetSpec } from "@hopwise/contracts";
import { expect, test } from "vitest";
import { mappingFromPreview } from "../../src/services/dataset-mapping.ts";
import { specFromMapping } from "../../src/services/spec-from-mapping.ts";
import { withMoreOf, withOwner } from "../../src/services/typed-joins.ts";
import { specOfTypes, type TypedMapping, typedMappingOf } from "../../src/services/typed-mapping.ts";
import { previewFile } from "../support/preview-file.ts";

const users = previewFile("users.csv", [
  ["user", "id"],
  ["x", "feature"],
]);
const movies = previewFile("movies.csv", [
  ["movie", "id"],
  ["year", "feature"],
]);
const jobs = previewFile("user_labels.csv", [
  ["user", "id"],
  ["x", "feature"],
  ["job", "label"],
]);
const train = previewFile("train.csv", [["user", "id"]]);
const ratings = previewFile("ratings.csv", [
  ["user", "src"],
  ["movie", "dst"],
]);
const files = [users, movies, jobs, train, ratings];

const relations = [
  { source: "user", name: "rated", target: "movie", files: ["ratings.csv"], src: "user", dst: "movie" },
];
const movie = { files: ["movies.csv"], id: "movie", features: { columns: ["year"] } };
const given = datasetSpec.parse({
  nodeTypes: {
    user: {
      files: ["users.csv"],
      id: "user",
      label: "job",
      features: { columns: ["x", "earlier"], missing: { earlier: { fill: "mean" } } },
      join: [
        { files: ["user_labels.csv"], id: "user", columns: [{ column: "x", as: "earlier" }, "job"], unknown: "drop" },
      ],
      splitFiles: { train: { files: ["train.csv"], id: "user", unknown: "drop" } },
    },
    movie,
  },
  relations,
});

const said = (mapping: TypedMapping): DatasetSpec | readonly string[] => {
  const result = specOfTypes(files, mapping);
  return "spec" in result ? datasetSpec.parse(result.spec) : result.missing;
};
const usersOf = (mapping: TypedMapping) => {
  const result = said(mapping);
  return "nodeTypes" in result ? result.nodeTypes?.["user"] : result;
};
const leftOut = (mapping: TypedMapping, file: string): TypedMapping => ({
  ...mapping,
  uses: { ...mapping.uses, [file]: "ignore" },
});

test("a typed spec that joins tables and lists ids is mapped as what it says, and comes back as it was", () => {
  const mapping = typedMappingOf(files, given);
  expect(mapping.uses).toMatchObject({ "user_labels.csv": "joined", "train.csv": "trainIds", "users.csv": "type" });
  expect(mapping.owners).toMatchObject({ "user_labels.csv": "user", "train.csv": "user" });
  expect(said(mapping)).toEqual(given);
});

test("a join that names no columns keeps the roles of those that it brings", () => {
  const spec = datasetSpec.parse({
    nodeTypes: {
      user: { files: ["users.csv"], id: "user", label: "job", join: [{ files: ["user_labels.csv"], id: "user" }] },
      movie,
    },
    relations,
  });
  expect(usersOf(typedMappingOf(files, spec))).toMatchObject({
    label: "job",
    join: [{ files: ["user_labels.csv"], id: "user", columns: ["job"] }],
  });
});

test("a joined file that is left out takes its columns along, and brings them back", () => {
  const mapping = typedMappingOf(files, given);
  const without = leftOut(mapping, "user_labels.csv");
  const { join: _, ...others } = given.nodeTypes!["user"]!;
  expect(usersOf(without)).toEqual({
    ...others,
    label: null,
    features: { columns: ["x"], widths: {}, missing: {} },
  });
  expect(said(withMoreOf(without, jobs, files, "joined"))).toEqual(given);
  const unlisted = leftOut(mapping, "train.csv");
  expect(usersOf(unlisted)).not.toHaveProperty("splitFiles");
  expect(said(withMoreOf(unlisted, train, files, "trainIds"))).toEqual(given);
});

test("a file is joined to the type whose ids its first rows have, and where none has them the type is asked for", () => {
  const plain = datasetSpec.parse({
    nodeTypes: { user: { files: ["users.csv"], id: "user" }, movie: { files: ["movies.csv"], id: "movie" } },
    relations,
  });
  const withRows = (file: typeof jobs, ...rows: string[][]) => ({ ...file, rows });
  const sampled = [
    withRows(users, ["u1", "1"], ["u2", "3"]),
    withRows(movies, ["m1", "1999"]),
    withRows(jobs, ["u2", "5", "cook"]),
  ];
  const start = typedMappingOf(sampled, plain);
  const joined = withMoreOf(start, sampled[2]!, sampled, "joined");
  expect(joined.owners["user_labels.csv"]).toBe("user");
  const unclear = withMoreOf(typedMappingOf(files, plain), jobs, files, "joined");
  expect(said(unclear)).toEqual(["user_labels.csv: choose the type of which it says more."]);
  expect(usersOf(withOwner(unclear, jobs, files, "user"))).toMatchObject({
    label: "job",
    join: [{ columns: [{ column: "x", as: "x_user_labels" }, "job"] }],
  });
});

test("a table that is of another type after all gives its columns to that, and none to the first", () => {
  const result = said(withOwner(typedMappingOf(files, given), jobs, files, "movie")) as DatasetSpec;
  expect(result.nodeTypes?.["user"]).toMatchObject({ label: null, features: { columns: ["x"] } });
  expect(result.nodeTypes?.["user"]).not.toHaveProperty("join");
  expect(result.nodeTypes?.["movie"]).toMatchObject({
    label: "job",
    features: { columns: ["year", "x"] },
    join: [{ files: ["user_labels.csv"], id: "user", columns: ["x", "job"], unknown: "drop" }],
  });
  const thereAndBack = withOwner(withOwner(typedMappingOf(files, given), jobs, files, "movie"), jobs, files, "user");
  const back = said(thereAndBack) as DatasetSpec;
  expect(back.nodeTypes?.["user"]?.join).toEqual([
    { files: ["user_labels.csv"], id: "user", columns: [{ column: "x", as: "x_user_labels" }, "job"], unknown: "drop" },
  ]);
  expect(back.nodeTypes?.["movie"]).toEqual(given.nodeTypes!["movie"]);
});

test("a type that is renamed is asked for, and has all that it had when it is chosen", () => {
  const mapping = typedMappingOf(files, given);
  const types = { ...mapping.types, "users.csv": { ...mapping.types["users.csv"]!, name: "person" } };
  const relation = { ...mapping.relations["ratings.csv"]!, source: "person" };
  const renamed = { ...mapping, types, relations: { ...mapping.relations, "ratings.csv": relation } };
  expect(said(renamed)).toEqual([
    "user_labels.csv: choose the type of which it says more.",
    "train.csv: choose the type of which it says more.",
  ]);
  const chosen = [jobs, train].reduce((so, file) => withOwner(so, file, files, "person"), renamed as TypedMapping);
  expect((said(chosen) as DatasetSpec).nodeTypes?.["person"]).toEqual(given.nodeTypes!["user"]);
});

test("joined files stay so when the form for one table is chosen, and the other way round", () => {
  const oneTable = mappingFromPreview(files, given);
  expect(oneTable.uses).toMatchObject({ "user_labels.csv": "joined", "train.csv": "trainIds" });
  expect(oneTable.nodes).toMatchObject({ earlier: "feature", job: "label" });
  const apart = { ...oneTable, uses: { ...oneTable.uses, "movies.csv": "ignore" as const } };
  const result = specFromMapping(files, apart);
  expect("spec" in result && result.spec.nodes).toMatchObject({
    label: "job",
    join: given.nodeTypes!["user"]!.join,
    splitFiles: given.nodeTypes!["user"]!.splitFiles,
  });

  const { user } = given.nodeTypes!;
  const one = datasetSpec.parse({ edges: { files: ["ratings.csv"], src: "user", dst: "movie" }, nodes: user });
  const typed = typedMappingOf(files, one);
  expect(typed.uses).toMatchObject({ "user_labels.csv": "joined", "train.csv": "trainIds" });
  expect(typed.owners["user_labels.csv"]).toBe("users");
});

test("files of one type that are a side of the split each come back as they were", () => {
  const [first, second] = ["paper_train.csv", "paper_test.csv"].map((name) =>
    previewFile(name, [
      ["paper", "id"],
      ["words", "multiHot"],
      ["topic", "label"],
    ]),
  );
  const cites = previewFile("cites.csv", [
    ["from", "src"],
    ["to", "dst"],
  ]);
  const spec = datasetSpec.parse({
    nodeTypes: {
      paper: {
        files: ["paper_train.csv", "paper_test.csv"],
        id: "paper",
        label: "topic",
        features: { columns: [], multiHot: "words" },
        splitFiles: {
          train: { files: ["paper_train.csv"], id: "paper" },
          test: { files: ["paper_test.csv"], id: "paper" },
        },
      },
    },
    relations: [{ source: "paper", name: "cites", target: "paper", files: ["cites.csv"], src: "from", dst: "to" }],
  });
  const sampled = [first!, second!, cites];
  const mapping = typedMappingOf(sampled, spec);
  expect(mapping.sides).toEqual({ "paper_train.csv": "trainIds", "paper_test.csv": "testIds" });
  const result = specOfTypes(sampled, mapping);
  expect("spec" in result && datasetSpec.parse(result.spec)).toEqual(spec);
});
