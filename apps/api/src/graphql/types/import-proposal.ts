import { importProposalRequest, limits } from "@hopwise/contracts";
import { type ImportProposal, proposeImport } from "../../imports/propose-import.ts";
import { builder } from "../base/builder.ts";
import { contractInput } from "../base/contract-input.ts";
import { costs, nestedListCost } from "../base/costs.ts";

const ProposedFileType = builder.objectRef<ImportProposal["files"][number]>("ProposedFile").implement({
  fields: (t) => ({
    name: t.exposeString("name", { description: "What the file is called" }),
    kind: t.field({
      type: builder.enumType("ProposedFileKind", { values: ["NODES", "EDGES"] }),
      resolve: ({ kind }) => (kind === "nodes" ? "NODES" : "EDGES"),
    }),
    table: t.exposeString("table", { description: "The table whose rows it has" }),
    joins: t.stringList({
      description: "The two tables that edges join; none for nodes",
      resolve: ({ joins }) => [...joins],
    }),
    query: t.exposeString("query", { description: "What the database is to be asked for it" }),
    notes: t.stringList({ description: "What is not in it, and why", resolve: ({ notes }) => [...notes] }),
  }),
});

const LeftOutTableType = builder.objectRef<ImportProposal["leftOut"][number]>("LeftOutTable").implement({
  fields: (t) => ({
    name: t.exposeString("name", { description: "A table, or a foreign key of one" }),
    reason: t.exposeString("reason"),
  }),
});

const ImportProposalType = builder.objectRef<ImportProposal>("ImportProposal").implement({
  fields: (t) => ({
    url: t.exposeString("url", { description: "The database, as an import names it" }),
    files: t.field({
      type: [ProposedFileType],
      complexity: nestedListCost(limits.importProposedFiles),
      resolve: ({ files }) => [...files],
    }),
    leftOut: t.field({
      type: [LeftOutTableType],
      description: "Tables and foreign keys of which no file is proposed",
      complexity: nestedListCost(limits.importTables),
      resolve: ({ leftOut }) => [...leftOut],
    }),
    mostFiles: t.int({
      description: "How many of the files a dataset takes",
      resolve: () => limits.filesPerDataset,
    }),
  }),
});

const ImportProposalInput = builder.inputType("ImportProposalInput", {
  fields: (t) => ({
    url: t.string({ required: true, description: "postgresql://host/database or mysql://host/database" }),
    credential: t.string({ required: true, description: "Name of a credential of the kind database" }),
    project: t.string({ description: "Whose credential it is" }),
    tables: t.stringList({
      description: "Names of tables, with or without their schemas; left out: all that the user may read",
    }),
  }),
});

builder.mutationFields((t) => ({
  proposeImport: t.field({
    type: ImportProposalType,
    complexity: costs.mutation,
    description:
      "By which queries the tables and foreign keys of a database become files of a graph; nothing is imported",
    args: { input: t.arg({ type: ImportProposalInput, required: true }) },
    resolve: (_root, { input }, { services, viewer }) =>
      proposeImport(services, viewer, contractInput(importProposalRequest, input)),
  }),
}));
