import type { Encoding } from "./encodings.ts";

/** The characters of the bytes 0x80 to 0x9f in windows-1252; a space: the byte has none. */
const upperControls = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";
const control = /[\x80-\x9f]/g;

/** Bytes that stand for no character of their encoding. */
export class UndecodableText extends Error {
  /** Text before them in the same piece. */
  readonly before: string;

  constructor(before: string) {
    super("Bytes that stand for no character.");
    this.before = before;
  }
}

/** Decodes one file piece by piece; the byte order mark is left out. */
export interface PieceDecoder {
  /** @throws UndecodableText */
  decode(piece: Uint8Array): string;
  /** @throws UndecodableText when the last character is cut off */
  end(): string;
}

export function decoderOf(encoding: Encoding): PieceDecoder {
  return encoding === "windows-1252" ? { decode: windows1252, end: () => "" } : unicodeDecoder(encoding);
}

function unicodeDecoder(encoding: Exclude<Encoding, "windows-1252">): PieceDecoder {
  const strict = new TextDecoder(encoding, { fatal: true });
  // Follows it, to tell where a piece that the strict one refuses is wrong.
  const lenient = new TextDecoder(encoding);
  const decode = (piece: Uint8Array, stream: boolean) => {
    const shown = encoding === "utf-8" ? "" : lenient.decode(piece, { stream });
    try {
      return strict.decode(piece, { stream });
    } catch {
      const at = shown.indexOf("\ufffd");
      throw new UndecodableText(at < 0 ? shown : shown.slice(0, at));
    }
  };
  return { decode: (piece) => decode(piece, true), end: () => decode(new Uint8Array(), false) };
}

/** As Microsoft's table has it; five bytes without a character are refused. Node 20's decoder reads it as Latin-1. */
function windows1252(piece: Uint8Array): string {
  const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString("latin1");
  return text.replace(control, (found, at: number) => {
    const character = upperControls[found.charCodeAt(0) - 0x80]!;
    if (character === " ") throw new UndecodableText(text.slice(0, at));
    return character;
  });
}
