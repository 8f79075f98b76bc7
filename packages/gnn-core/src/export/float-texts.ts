import { loadAddon } from "../backends/native/addon.ts";
import { nativeSync } from "../backends/native/native-error.ts";

/**
 * A text for each row of float32 [rows, width]: its numbers, each as the shortest decimal that reads as the same
 * float32 (`0.1`, `1e-05`), with one character between them. What is not finite is `NaN`, `Infinity` or `-Infinity`.
 */
export function floatTexts(values: Float32Array, width: number, between: string): string[] {
  if (values.length === 0) return [];
  const { bytes, offsets } = nativeSync(() => loadAddon().floatTexts(values, width, between));
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: offsets.length - 1 }, (_, row) =>
    buffer.toString("latin1", offsets[row], offsets[row + 1]),
  );
}

/** A text for each number, and `missing` for NaN, which says that it is not known. */
export function knownFloatTexts(values: Float32Array, missing: string): string[] {
  return floatTexts(values, 1, ",").map((text, i) => (Number.isNaN(values[i]) ? missing : text));
}
