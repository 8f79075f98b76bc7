import type { z } from "zod";

/** The sections of a dataset spec that say whether it is a set of graphs. */
export interface SetSections {
  readonly edges: { readonly graph?: string | undefined } | null;
  readonly nodes: {
    readonly graph?: string | undefined;
    readonly join?: readonly object[] | undefined;
    readonly splitFiles?: object | undefined;
  } | null;
  readonly nodeTypes: object | null;
  readonly relations: object | null;
  readonly graphs?: object | undefined;
  readonly tu?: object | undefined;
  readonly missingNodes: string;
}

/** A set of graphs has a table of graphs and a column that says of which graph each node is, or is TU's files alone. */
export function checkGraphs(spec: SetSections, context: z.core.$RefinementCtx): void {
  const refuse = (path: string[], message: string) => context.addIssue({ code: "custom", path, message });
  const { edges, nodes, nodeTypes, relations, graphs, tu } = spec;
  if (tu) {
    if (edges ?? nodes ?? nodeTypes ?? relations ?? graphs) {
      refuse(["tu"], "The files of a TU data set say everything; leave edges, nodes, relations and graphs out");
    }
    if (spec.missingNodes !== "error") refuse(["missingNodes"], "A TU data set lists all nodes; set it to error");
    return;
  }
  const inNodes = nodes?.graph !== undefined;
  if (graphs && (nodeTypes || relations)) {
    refuse(["graphs"], "Sets of graphs have nodes and edges of one table each; leave graphs out, or the types");
  } else if (graphs && !inNodes) {
    refuse(["nodes"], "With a table of graphs, a column of the nodes says of which graph each is; name it in graph");
  }
  if (inNodes && !graphs) {
    refuse(["graphs"], "The nodes belong to graphs; name the table with a row for each graph in graphs");
  }
  if (edges?.graph !== undefined && !inNodes) {
    refuse(["edges", "graph"], "Ids that count inside a graph need the column of the graph in the nodes too");
  }
  if (edges?.graph !== undefined && (nodes?.join ?? nodes?.splitFiles)) {
    const message = "Ids that count inside a graph do not tell which node a row of another table is about";
    refuse(["nodes", nodes?.join ? "join" : "splitFiles"], `${message}; write the columns into the table of nodes`);
  }
  if (graphs && spec.missingNodes === "add") {
    refuse(["missingNodes"], "A node that only edges name is of no graph; choose error or drop");
  }
}
