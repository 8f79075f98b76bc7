import { EventEmitter } from "node:events";
import { Parser, type ParserError } from "n3";
import { GnnError } from "../../errors/gnn-error.ts";
import type { FoundTriple, Triple } from "./triples-table.ts";

/** Longer ones are no names: a long prefix would make such of each short name behind it. */
const longestAddress = 8192;
/** In characters; a statement that does not end holds all that follows. */
const longestStatement = 2 ** 20;

/** A name, or a statement; a literal has neither. */
type Term = { readonly value: string } | { readonly statement: Triple | null } | typeof literal;
const literal = { isLiteral: true } as const;

/**
 * The triples of Turtle, TriG and N-Quads, as N3.js reads them. Addresses are whole, as their prefixes and base make
 * them; blank nodes keep their labels behind `_:`, and those without one are numbered in the order of the file, in
 * brackets that no label has. Named graphs are read as one. Statements about statements count as literals do: they
 * join no two things.
 *
 * https://www.w3.org/TR/turtle, https://www.w3.org/TR/trig, https://www.w3.org/TR/n-quads
 *
 * @param text pieces that need not end where statements do
 * @throws GnnError DATASET_ROW_INVALID, DATASET_FORMAT_INVALID
 */
export async function* parseTurtle(text: AsyncIterable<string>, file: string): AsyncGenerator<FoundTriple> {
  const input = new EventEmitter();
  let found: FoundTriple[] = [];
  let [line, sinceToken] = [1, 0];
  const parser = new Parser<Term>({ blankNodePrefix: "_:", factory: termsOf(file, () => line) });
  parser.parse(input, {
    onToken: (token) => {
      line = token.line;
      sinceToken = 0;
    },
    onQuad: (error, quad) => {
      if (error) throw damaged(file, error.context?.line ?? line, error);
      if (quad && "statement" in quad) found.push({ line, triple: quad.statement });
    },
  });
  for await (const piece of text) {
    sinceToken += piece.length;
    emit(input, "data", piece, () => damaged(file, line, null));
    if (sinceToken > longestStatement) throw endless(file, line);
    yield* found;
    found = [];
  }
  emit(input, "end", "", () => damaged(file, line, null));
  yield* found;
}

/** What the parser does not expect itself is damage of the file as well. */
function emit(input: EventEmitter, event: string, piece: string, damage: () => GnnError): void {
  try {
    input.emit(event, piece);
  } catch (error) {
    throw error instanceof GnnError ? error : damage();
  }
}

/** Terms as names alone; names are numbered by the file, not by the process that reads it. */
function termsOf(file: string, lineOf: () => number) {
  let numBlank = 0;
  const named = (value: string): Term => {
    if (value.length > longestAddress) throw tooLong(file, lineOf());
    return { value };
  };
  return {
    namedNode: named,
    blankNode: (label?: string) => named(label === undefined ? `_:[${++numBlank}]` : `_:${label}`),
    literal: () => literal,
    variable: named,
    defaultGraph: () => literal,
    quad: (subject: Term, predicate: Term, object: Term): Term => {
      const joins = "value" in subject && "value" in predicate && "value" in object;
      return {
        statement: joins ? { subject: subject.value, predicate: predicate.value, object: object.value } : null,
      };
    },
  };
}

function damaged(file: string, line: number, error: ParserError | null): GnnError {
  const found = error === null ? "found something else" : inWords(error.message);
  const message = `${file}, line ${line}: ${found}; expected RDF in Turtle, TriG or N-Quads.`;
  return new GnnError("DATASET_ROW_INVALID", message, { place: { file, line } });
}

/** What N3.js says, without its line and in our words where it names no place of the file. */
function inWords(said: string): string {
  const undeclared = /^Undefined prefix "([^"]*):"/.exec(said);
  if (undeclared) return `the prefix "${undeclared[1]}:" is not declared`;
  const plain = said.replace(/\s+on line \d+\.?$/, "").slice(0, 200);
  return `found ${plain.charAt(0).toLowerCase()}${plain.slice(1)}`;
}

function endless(file: string, line: number): GnnError {
  const message = `${file}, line ${line}: what begins here does not end within a million characters; expected RDF in Turtle, TriG or N-Quads.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file, line } });
}

function tooLong(file: string, line: number): GnnError {
  const message = `${file}, line ${line}: an address has more than ${longestAddress} characters, with its prefix or base.`;
  return new GnnError("DATASET_ROW_INVALID", message, { place: { file, line } });
}
