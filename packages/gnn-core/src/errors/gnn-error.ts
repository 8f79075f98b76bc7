import { type GnnErrorCode } from "./codes.ts";

/** Where in the user's input an error was found; every part is optional. */
export interface ErrorPlace {
  readonly file?: string;
  /** 1-based line (text files) or row (columnar files). */
  readonly line?: number;
  readonly field?: string;
  /** JSON pointer into a spec. */
  readonly pointer?: string;
}

/** The engine's only error type: a typed code, a message (found, expected, next step) and its place. */
export class GnnError extends Error {
  override readonly name = "GnnError";
  readonly code: GnnErrorCode;
  readonly place: ErrorPlace;

  constructor(code: GnnErrorCode, message: string, options: ErrorOptions & { place?: ErrorPlace } = {}) {
    super(message, options);
    this.code = code;
    this.place = options.place ?? {};
  }
}
