import type { Triple } from "./triples-table.ts";

/** What one line of N-Triples says; null: nothing, as it is blank or a comment. */
export type ParsedLine = Triple | "literal" | "damaged" | null;

const iri = String.raw`<((?:[^\s<>"{}|^${"`"}\\]|\\u[\dA-Fa-f]{4}|\\U[\dA-Fa-f]{8})*)>`;
const blankNode = String.raw`(_:[^\s<>".]+(?:\.+[^\s<>".]+)*)`;
const literal = String.raw`("(?:[^"\\]|\\.)*"(?:\^\^${iri}|@[\w-]+)?)`;
const triple = new RegExp(
  String.raw`^\s*(?:${iri}|${blankNode})\s*${iri}\s*(?:${iri}|${blankNode}|${literal})\s*\.\s*(?:#.*)?$`,
);

/**
 * A triple whose three terms name things. One that ends in a literal, a text or a number, joins nothing. Addresses are
 * without their brackets, blank nodes keep `_:`.
 *
 * https://www.w3.org/TR/n-triples
 */
export function parseTriple(line: string): ParsedLine {
  const start = line.trimStart();
  if (start === "" || start.startsWith("#")) return null;
  const found = triple.exec(line);
  if (!found) return "damaged";
  const [, subjectIri, subjectBlank, predicate, objectIri, objectBlank, text] = found;
  if (text !== undefined) return "literal";
  return {
    subject: subjectBlank ?? unescaped(subjectIri!),
    predicate: unescaped(predicate!),
    object: objectBlank ?? unescaped(objectIri!),
  };
}

function unescaped(address: string): string {
  if (!address.includes("\\")) return address;
  return address.replaceAll(/\\u([\dA-Fa-f]{4})|\\U([\dA-Fa-f]{8})/g, (whole, short, long) => {
    const code = Number.parseInt(String(short ?? long), 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
