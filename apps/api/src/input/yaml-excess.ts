import { limits } from "@hopwise/contracts";
import { CST, Lexer } from "yaml";

/** Columns before a line's content, and `- `, `? ` and `: ` in one line: each may open a level of block style. */
const mostIndent = 64;
const mostIndicators = 8;

const blockIndicators = new Set<string | null>(["seq-item-ind", "explicit-key-ind", "map-value-ind"]);
const flowStarts = new Set<string | null>(["flow-map-start", "flow-seq-start"]);
const flowEnds = new Set<string | null>(["flow-map-end", "flow-seq-end"]);
/** Tokens that stand for no character of the text. */
const marks = new Set<string | null>(["doc-mode", "flow-error-end", "scalar"]);

/**
 * What a YAML text has too much of; null when it is within the bounds. The parser calls itself for every level, and
 * the process ends where the stack does, so levels are counted from the tokens first. The lexer keeps no stack and
 * takes time in proportion to what is read of its tokens.
 */
export function yamlExcess(text: string): string | null {
  let tokens = 0;
  let flowLevels = 0;
  let column = 0;
  let indicators = 0;
  let previous = "";
  for (const token of new Lexer().lex(text)) {
    tokens += token.startsWith('"') ? token.split("\\").length : 1; // an escape costs the parser as much as a token
    if (tokens > limits.yamlTokens) return `it has more than ${limits.yamlTokens} tokens`;
    const type = previous === CST.SCALAR ? null : CST.tokenType(token); // what follows that mark is text
    previous = token;
    if (column === 0) indicators = 0;
    if (flowStarts.has(type)) flowLevels++;
    else if (flowEnds.has(type)) flowLevels = Math.max(0, flowLevels - 1);
    else if (type === "flow-error-end") flowLevels = 0;
    else if (flowLevels === 0 && blockIndicators.has(type)) indicators++;
    if (flowLevels > limits.bodyDepth) return `it is nested deeper than ${limits.bodyDepth} levels`;
    if (indicators > mostIndicators) return `a line has more than ${mostIndicators} of "- ", "? " and ": "`;
    if (column === 0 && type === "space" && token.length > mostIndent) {
      return `a line is indented by more than ${mostIndent} columns`;
    }
    if (!marks.has(type)) column = columnAfter(token, column);
  }
  return null;
}

function columnAfter(token: string, column: number): number {
  const lineEnd = token.lastIndexOf("\n");
  return lineEnd < 0 ? column + token.length : token.length - lineEnd - 1;
}
