/** What a column of edges or of nodes can be for, in the words of the mapping page. */
export const edgeRoles = [
  "ignore",
  "src",
  "dst",
  "weight",
  "type",
  "label",
  "target",
  "feature",
  "split",
  "time",
] as const;
export const nodeRoles = [
  "ignore",
  "id",
  "type",
  "label",
  "labelFlag",
  "target",
  "split",
  "trainMask",
  "valMask",
  "testMask",
  "feature",
  "kind",
  "multiHot",
] as const;
/** Roles in tables of a set of graphs; the table of graphs has a row for each. */
export const setRoles = {
  edges: ["ignore", "src", "dst", "graph", "weight"],
  nodes: ["ignore", "id", "graph", "kind", "feature", "multiHot"],
  graphs: ["ignore", "graph", "label", "target", "split", "fold"],
} as const;
export type EdgeRole = (typeof edgeRoles)[number];
export type NodeRole = (typeof nodeRoles)[number];
export type SetRole = (typeof setRoles)[keyof typeof setRoles][number];
export type Role = EdgeRole | NodeRole | SetRole;

export const roleNames: Readonly<Record<Role, string>> = {
  ignore: "not used",
  src: "source id",
  dst: "destination id",
  weight: "weight",
  type: "type",
  feature: "feature",
  id: "node id",
  label: "label",
  labelFlag: "0/1 label",
  target: "number to predict",
  split: "split",
  time: "time",
  trainMask: "1 to learn from",
  valMask: "1 to choose by",
  testMask: "1 to judge by",
  graph: "graph id",
  kind: "kind (0/1 features)",
  multiHot: "indices of features",
  fold: "fold",
};

const typeNames: Readonly<Record<string, string>> = {
  int64: "whole number",
  double: "number",
  boolean: "true or false",
};

/** The type of a column in words. */
export function typeName({ type, width }: { readonly type: string; readonly width?: number | null }): string {
  return width ? `${width} numbers` : (typeNames[type] ?? type);
}

/** A sentence for each role, for someone who has never trained on a graph. */
export const roleHelp: Readonly<Record<Role, string>> = {
  src: "The node at which the edge begins. Every edge file needs one.",
  dst: "The node at which the edge ends. Every edge file needs one.",
  weight: "A number that says how strong the edge is. Some models and samplers count it.",
  type: "A text that says of which kind the edge or the node is. Models of typed graphs learn of each kind by itself; parts can be balanced by the types of nodes.",
  id: "Your name for the node, as the edges use it; it comes back in every download.",
  label: "The class of the node or the edge, to be predicted. Empty: not known, and predicted.",
  labelFlag: "1 where the node has the label that the column is called after, else 0. A node may have several.",
  target: "A number to predict. Empty: not known, and predicted.",
  split: "train, val or test: whether the node or the edge is learned from, chooses the best model, or judges it.",
  time: "When the edge came to be: a number, or a date (of UTC where it names no zone). The newest can be held out where links, or labels of edges, are learned.",
  trainMask: "1 or true for the nodes that are learned from, in place of a split column.",
  valMask: "1 or true for the nodes that choose the best model.",
  testMask: "1 or true for the nodes that judge it.",
  feature:
    "A number, or a list of numbers, that describes the node or the edge. Models learn from those of the nodes; those of edges help to predict classes and numbers of edges.",
  graph:
    "The graph that a node, an edge or a row is of. Of an edge it is needed where node ids count inside each graph.",
  kind: "One of a few values, such as atoms: each becomes a feature of 0 and 1.",
  multiHot: "A list such as [12, 55], of any length: these features of the node are 1, all others are 0.",
  fold: "The fold of a graph, for cross-validation: a job says which one is tested.",
  ignore: "The column is left out.",
};

/** Gives a column its role; a role that only one column can have leaves the column that had it. */
export function withRole<R extends Role>(roles: Readonly<Record<string, R>>, column: string, role: R) {
  const single = !["feature", "ignore", "labelFlag", "target", "kind"].includes(role);
  const kept = Object.entries(roles).map(([name, had]) => [name, single && had === role ? "ignore" : had]);
  return { ...(Object.fromEntries(kept) as Record<string, R>), [column]: role };
}
