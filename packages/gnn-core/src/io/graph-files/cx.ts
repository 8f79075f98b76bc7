import { JSONParser } from "@streamparser/json";
import { CxElements } from "./cx-elements.ts";
import type { GraphParser } from "./graph-record.ts";
import { endJson, writeJson } from "./write-json.ts";

/** What is read of the aspects: a list of objects, in which each has one or several aspects */
const aspects = ["nodes", "edges", "attributeDeclarations", "nodeAttributes", "edgeAttributes"];

/** Whether JSON that begins so is a network of Cytoscape or NDEx. */
export function isCx(head: string): boolean {
  return /^\s*\[\s*\{\s*"(CXVersion|numberVerification)"\s*:/.test(head);
}

/**
 * Networks of Cytoscape and NDEx in CX, whose version 2 has the attributes of a node or an edge with it, and version 1
 * behind all of them. Nodes go by their numbers, and what they are called is the attribute `name`. Whether edges lead
 * one way is not said.
 *
 * https://cytoscape.org/cx/cx2/specification/cytoscape-exchange-format-specification-(version-2)/
 */
export const parseCx: GraphParser = async function* (text, file, facts) {
  const elements = new CxElements(file, facts);
  const parser = new JSONParser({
    paths: aspects.map((aspect) => `$.*.${aspect}.*`),
    keepStack: false,
    stringBufferSize: 0,
  });
  parser.onValue = ({ value, stack }) => elements.add(String(stack.at(-1)?.key), value);
  for await (const piece of text) {
    writeJson(parser, piece, file);
    yield* elements.taken();
  }
  endJson(parser, file);
  yield* elements.rest();
};
