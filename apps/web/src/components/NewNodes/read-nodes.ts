/** A node as the query takes it; the service says what is wrong with one. */
export interface GivenNode {
  readonly id: string;
  readonly type?: string;
  readonly features?: unknown;
  readonly edges?: readonly {
    readonly from?: string;
    readonly to?: string;
    readonly relation?: string;
    readonly weight?: number;
  }[];
}

/**
 * Nodes as they were typed: one as JSON, or a list of them.
 *
 * @returns a sentence when they are no such
 */
export function readNodes(typed: string): readonly GivenNode[] | string {
  try {
    const nodes: unknown[] = [JSON.parse(typed)].flat();
    const isNode = (node: unknown) => typeof (node as GivenNode | null)?.id === "string";
    if (nodes.length > 0 && nodes.every(isNode)) return nodes as GivenNode[];
    return 'Expected a node, or a list of them, each with an id in quotes: {"id": "new"}.';
  } catch (error) {
    return `This is no JSON: ${(error as Error).message}.`;
  }
}
