/** A file to be sent. The browser's File is one; `openFile` of `@hopwise/client/node` makes one of a path. */
export interface UploadFile {
  readonly name: string;
  /** Bytes of the stream. */
  readonly size: number;
  /** From the beginning, at every call. */
  stream(): ReadableStream<Uint8Array>;
  /** A part of it; left out: what lies before a part is read too, and thrown away. */
  slice?(start: number, end?: number): { stream(): ReadableStream<Uint8Array> };
  /** SHA-256 of the whole file in hexadecimal, where it is known: the service then holds what has come against it. */
  readonly sha256?: string;
}

/** Told how many bytes of the files have been sent, of how many. */
export type OnProgress = (sentBytes: number, totalBytes: number) => void;

/** Files on their way to an address. */
export interface Upload {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly files: readonly UploadFile[];
  readonly onProgress?: OnProgress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The name of the form's field. */
export const fieldName = "file";

export function totalBytes(files: readonly UploadFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}
