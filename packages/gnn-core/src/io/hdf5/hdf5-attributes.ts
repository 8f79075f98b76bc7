import { textsIn } from "./element-texts.ts";
import type { Hdf5Library } from "./hdf5-library.ts";
import type { Hdf5Attributes } from "./hdf5-messages.ts";
import { typeClasses } from "./hdf5-types.ts";

/** More lies apart from what it belongs to, as no writer of tables has it */
const mostAttributeBytes = 65_536;
/** Texts of one attribute, such as the names of columns */
const mostTexts = 8192;

/** The attributes of a group or a data set, each read when it is asked for. */
export interface AttributeReader {
  /** Whole numbers; null: the attribute has others, or is not there */
  readonly numbers: (name: string) => number[] | null;
  /** The one text of an attribute; empty: it has none */
  readonly text: (name: string) => string;
  /** All attributes that are texts and that `wanted` takes */
  readonly texts: (wanted: (name: string) => boolean) => Hdf5Attributes;
}

export function attributesOf(library: Hdf5Library, file: bigint, path: string): AttributeReader {
  const names = library.get_attribute_names(file, path);
  const textsOf = (name: string) => (names.includes(name) ? attributeTexts(library, file, path, name) : null);
  return {
    numbers: (name) => (names.includes(name) ? attributeNumbers(library, file, path, name) : null),
    text: (name) => {
      const texts = textsOf(name);
      return texts?.length === 1 ? texts[0]! : "";
    },
    texts: (wanted) =>
      Object.fromEntries(
        names.filter(wanted).flatMap((name) => {
          const texts = textsOf(name);
          return texts ? [[name, texts] as const] : [];
        }),
      ),
  };
}

/** What `take` makes of the bytes of an attribute, which lie there while it is at work; null: they are too many. */
function withAttribute<T>(
  library: Hdf5Library,
  [file, path, name]: readonly [file: bigint, path: string, name: string],
  bytes: number,
  take: (found: Buffer) => T,
): T | null {
  if (bytes === 0 || bytes > mostAttributeBytes) return null;
  const at = library._malloc(bytes);
  try {
    if (library.get_attribute_data(file, path, name, BigInt(at)) < 0) return null;
    return take(Buffer.from(library.HEAPU8.slice(at, at + bytes)));
  } finally {
    library._free(at);
  }
}

function attributeNumbers(library: Hdf5Library, file: bigint, path: string, name: string): number[] | null {
  const { type, size, total_size: length, signed } = library.get_attribute_metadata(file, path, name);
  if (type !== typeClasses.integer || ![1, 2, 4, 8].includes(size)) return null;
  return withAttribute(library, [file, path, name], size * length, (found) =>
    Array.from({ length }, (_, i) => {
      if (size === 8) return Number(signed ? found.readBigInt64LE(8 * i) : found.readBigUInt64LE(8 * i));
      return signed ? found.readIntLE(size * i, size) : found.readUIntLE(size * i, size);
    }),
  );
}

function attributeTexts(library: Hdf5Library, file: bigint, path: string, name: string): string[] | null {
  const { type, size, total_size: length, vlen, shape } = library.get_attribute_metadata(file, path, name);
  if (type !== typeClasses.text || shape === null || length > mostTexts) return null;
  return withAttribute(library, [file, path, name], size * length, (found) =>
    vlen
      ? textsIn(found, { itemBytes: size, offsets: [0] }, library.HEAPU8)
      : Array.from({ length }, (_, i) => untilZero(found.subarray(size * i, size * (i + 1)))),
  );
}

function untilZero(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString("utf8", 0, end === -1 ? bytes.length : end);
}
