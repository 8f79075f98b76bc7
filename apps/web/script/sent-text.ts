import type { DocumentNode } from "graphql";
import { type AnyVariables, createRequest, type DocumentInput, formatDocument, stringifyDocument } from "urql";

/** The text of a document as the page's client sends it, whose cache asks for the type of every object. */
export function sentText<Variables extends AnyVariables>(
  document: DocumentInput<unknown, Variables>,
  variables: Variables,
): string {
  // Formatting keeps what it is, in a type so exact that nothing takes it.
  return stringifyDocument(formatDocument(createRequest(document, variables).query) as DocumentNode);
}
