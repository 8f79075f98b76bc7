import { fieldName, type UploadFile } from "./upload-file.ts";

const encoder = new TextEncoder();
const pieceBytes = 256 * 1024;

/** A `multipart/form-data` body of files (RFC 7578), streamed: nothing is held in memory. */
export class Multipart {
  readonly contentType: string;
  /** Bytes of the whole body, known before it is sent: a service can refuse what is too large at once. */
  readonly bytes: number;
  readonly #files: readonly UploadFile[];
  readonly #heads: readonly Uint8Array[];
  readonly #end: Uint8Array;

  constructor(files: readonly UploadFile[], boundary: string) {
    this.contentType = `multipart/form-data; boundary=${boundary}`;
    this.#files = files;
    this.#heads = files.map(({ name }, i) =>
      encoder.encode(`${i === 0 ? "" : "\r\n"}--${boundary}\r\n${headOf(name)}`),
    );
    this.#end = encoder.encode(`\r\n--${boundary}--\r\n`);
    const framing = this.#heads.reduce((sum, head) => sum + head.byteLength, this.#end.byteLength);
    this.bytes = files.reduce((sum, { size }) => sum + size, framing);
  }

  /** @param onFileBytes told how many bytes of a file each chunk has */
  async *chunks(onFileBytes: (bytes: number) => void): AsyncGenerator<Uint8Array, void, void> {
    for (const [i, file] of this.#files.entries()) {
      yield this.#heads[i] ?? new Uint8Array();
      for await (const chunk of file.stream()) {
        // A file in memory comes in one piece, of which nobody could tell how much is sent.
        for (let from = 0; from < chunk.byteLength; from += pieceBytes) {
          const piece = chunk.subarray(from, from + pieceBytes);
          yield piece;
          onFileBytes(piece.byteLength);
        }
      }
    }
    yield this.#end;
  }
}

/** Names are escaped as browsers do it (HTML Living Standard §4.10.21.8). */
function headOf(name: string): string {
  const escaped = name.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
  return `content-disposition: form-data; name="${fieldName}"; filename="${escaped}"\r\ncontent-type: application/octet-stream\r\n\r\n`;
}
