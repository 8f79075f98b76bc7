/** What is used of N3.js, which brings no types of its own. */
declare module "n3" {
  export interface ParserOptions<Term> {
    readonly blankNodePrefix: string;
    readonly factory: {
      readonly namedNode: (address: string) => Term;
      readonly blankNode: (label?: string) => Term;
      readonly literal: () => Term;
      readonly variable: (name: string) => Term;
      readonly defaultGraph: () => Term;
      readonly quad: (subject: Term, predicate: Term, object: Term) => Term;
    };
  }

  export interface ParserError extends Error {
    readonly context?: { readonly line?: number };
  }

  export interface ParserInput {
    on(event: string, listener: (piece: string) => void): unknown;
  }

  export interface ParserCallbacks<Term> {
    /** The error, or a quad; neither at the end */
    readonly onQuad: (error: ParserError | null, quad: Term | null) => void;
    readonly onToken: (token: { readonly line: number }) => void;
  }

  export class Parser<Term> {
    constructor(options: ParserOptions<Term>);
    /** Reads each piece as it is emitted, before `emit` returns. */
    parse(input: ParserInput, callbacks: ParserCallbacks<Term>): void;
  }
}
