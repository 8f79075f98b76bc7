import type { z } from "zod";
import { isLabelled, type RelationSection } from "./relation-section.ts";
import { relationTypes } from "./relation-types.ts";

/** The sections of a dataset spec that say which tables there are. */
export interface TableSections {
  readonly edges: object | null;
  readonly nodes: object | null;
  readonly nodeTypes: Readonly<Record<string, TypedNodes>> | null;
  readonly relations: readonly RelationSection[] | null;
  readonly tu?: object | undefined;
  readonly directed: boolean;
  readonly missingNodes: string;
}

/** What of the columns of one type of node decides whether the types fit together. */
export interface TypedNodes {
  readonly type: string | null;
  readonly label: string | null;
  readonly labelColumns: readonly string[];
  readonly labelFile: object | null;
  readonly targets: readonly string[];
}

type Context = z.core.$RefinementCtx;

/** One table of edges and perhaps one of nodes, or a file for each type, whose relations join types that there are. */
export function checkTypes(spec: TableSections, context: Context): void {
  const refuse = refusalIn(context);
  const { edges, nodes, nodeTypes, relations } = spec;
  if (relations === null) {
    if (edges === null && spec.tu === undefined)
      refuse(["edges"], "Say where the edges are: edges for one table, or relations for one of each type");
    if (nodeTypes !== null)
      refuse(["relations"], "With a file for each type of node, relations says which types the edges join");
    return;
  }
  if (edges !== null) refuse(["edges"], "The edges come from one of edges and relations; leave one of them out");
  if (nodes !== null)
    refuse(["nodes"], "With relations, nodes are named by their types; put each file under nodeTypes");
  if (nodeTypes === null || Object.keys(nodeTypes).length === 0) {
    refuse(["nodeTypes"], "Relations join types of nodes; name a file for each type in nodeTypes");
    return;
  }
  checkRules(spec, refuse);
  checkNodeTypes(nodeTypes, refuse);
  checkRelations(relations, Object.keys(nodeTypes), refuse);
}

type Refuse = (path: (string | number)[], message: string) => void;

function refusalIn(context: Context): Refuse {
  return (path, message) => context.addIssue({ code: "custom", path, message });
}

function checkRules({ directed, missingNodes }: TableSections, refuse: Refuse): void {
  if (directed) refuse(["directed"], "Each relation says by reverse whether edges lead back; set it to false there");
  if (missingNodes === "add") {
    refuse(["missingNodes"], "With a file for each type, nodes are those of the files; choose error or drop");
  }
}

function checkNodeTypes(types: Readonly<Record<string, TypedNodes>>, refuse: Refuse): void {
  for (const [name, { type }] of Object.entries(types)) {
    if (type === null) continue;
    refuse(["nodeTypes", name, "type"], `The nodes of this file are of the type "${name}" already; leave type out`);
  }
  const [first, second] = Object.keys(types).filter((name) => isLearned(types[name]!));
  if (first === undefined || second === undefined) return;
  const message = `The type "${first}" has labels or targets already; what is learned lies on one type. Leave it out here`;
  refuse(["nodeTypes", second], message);
}

/** Whether the nodes say something that could be learned. */
export function isLearned({ label, labelColumns, labelFile, targets }: TypedNodes): boolean {
  return label !== null || labelColumns.length > 0 || labelFile !== null || targets.length > 0;
}

function checkRelations(relations: readonly RelationSection[], types: readonly string[], refuse: Refuse): void {
  const known = types.map((type) => `"${type}"`).join(", ");
  const seen = new Set<string>();
  for (const [i, { source, name, target, reverse }] of relations.entries()) {
    for (const [end, type] of [
      ["source", source],
      ["target", target],
    ] as const) {
      if (!types.includes(type)) refuse(["relations", i, end], `There is no type "${type}"; the types are ${known}`);
    }
    const triple = JSON.stringify([source, name, target]);
    if (seen.has(triple)) {
      refuse(
        ["relations", i, "name"],
        `${source} ${name} ${target} is there already; name all its files in one relation`,
      );
    }
    seen.add(triple);
    if (reverse === name && source !== target) {
      refuse(
        ["relations", i, "reverse"],
        `Edges from ${source} to ${target} and back are two relations; name them apart`,
      );
    }
  }
  const [labelled, second] = relations.flatMap((section, i) => (isLabelled(section) ? [i] : []));
  if (labelled !== undefined && second !== undefined) {
    const first = relations[labelled]!.name;
    const message = `The relation "${first}" has labels or targets already; what is learned lies on the edges of one relation. Leave it out here`;
    refuse(["relations", second], message);
  }
  if (seen.size < relations.length) return;
  const names = relationTypes(relations).flatMap(({ forward, back }) =>
    back === null || back === forward ? [forward] : [forward, back],
  );
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice === undefined) return;
  const message = `Two relations would be called "${twice}", one of them the reverse of another; name it in reverse, or set reverse to false`;
  refuse(["relations"], message);
}
