import type { ArtifactInfo } from "@hopwise/contracts";
import { builder } from "../base/builder.ts";
import { costs, nestedListCost } from "../base/costs.ts";

type PreviewInfo = ArtifactInfo<"preview">;
type PreviewFile = PreviewInfo["files"][number];
type PreviewColumn = PreviewFile["columns"][number];

const Column = builder.objectRef<PreviewColumn>("PreviewColumn").implement({
  fields: (t) => ({
    name: t.exposeString("name"),
    type: t.exposeString("type"),
    role: t.exposeString("role", { nullable: true }),
    width: t.exposeInt("width", {
      nullable: true,
      description: "Numbers in each list of a column of such; null: it is none, or they have different lengths",
    }),
  }),
});

const File = builder.objectRef<PreviewFile>("PreviewFile").implement({
  fields: (t) => ({
    name: t.exposeString("name"),
    reader: t.exposeString("reader", { nullable: true, description: "null: no reader takes the file" }),
    options: t.field({
      type: "JSON",
      description: "Options of the reader, as they were detected or chosen",
      resolve: ({ options }) => ({ ...options }),
    }),
    isReaderChosen: t.boolean({
      description: "Whether somebody has chosen the reader",
      resolve: ({ isReaderChosen }) => isReaderChosen,
    }),
    reasons: t.stringList({
      description: "How the file was read, and why",
      resolve: ({ reasons }) => [...reasons],
    }),
    problem: t.string({
      nullable: true,
      description: "Why the file could not be read",
      resolve: ({ problem }) => problem?.detail ?? null,
    }),
    bytes: t.expose("bytes", { type: "SafeInt" }),
    numRowsSampled: t.expose("numRowsSampled", { type: "SafeInt" }),
    columns: t.field({ type: [Column], complexity: nestedListCost(100), resolve: (file) => [...file.columns] }),
    rows: t.field({
      type: t.listRef(t.listRef("String")),
      complexity: 500,
      resolve: (file) => file.rows.map((row) => [...row]),
    }),
  }),
});

export const PreviewType = builder.objectRef<PreviewInfo>("Preview").implement({
  fields: (t) => ({
    files: t.field({ type: [File], resolve: (preview) => [...preview.files] }),
    proposed: t.expose("proposed", {
      type: "JSON",
      complexity: costs.json,
      nullable: true,
      description: "A DatasetSpec to start from",
    }),
    warnings: t.stringList({ resolve: (preview) => [...preview.warnings] }),
  }),
});
