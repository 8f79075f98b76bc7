import { zipSync } from "fflate";

/** The identity as `scipy.sparse.save_npz` writes it, float32 CSR: a column for each of `size` rows. */
export function identityMatrix(size: number): Uint8Array {
  const count = (length: number, ofEach: (i: number) => number) => Int32Array.from({ length }, (_, i) => ofEach(i));
  return zipSync(
    {
      "format.npy": npy("|S3", "()", new TextEncoder().encode("csr")),
      "shape.npy": npy("<i8", "(2,)", BigInt64Array.of(BigInt(size), BigInt(size))),
      "data.npy": npy("<f4", `(${size},)`, new Float32Array(size).fill(1)),
      "indices.npy": npy(
        "<i4",
        `(${size},)`,
        count(size, (i) => i),
      ),
      "indptr.npy": npy(
        "<i4",
        `(${size + 1},)`,
        count(size + 1, (i) => i),
      ),
    },
    // Two tables of the same content are the same bytes, whenever they are written.
    { level: 1, mtime: "2026-01-01" },
  );
}

function npy(descr: string, shape: string, values: ArrayBufferView): Uint8Array {
  const header = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${shape}, }`;
  const padded = `${header.padEnd(Math.ceil((header.length + 11) / 64) * 64 - 11)}\n`;
  const bytes = new Uint8Array(10 + padded.length + values.byteLength);
  bytes.set([0x93, ...Buffer.from("NUMPY"), 1, 0, padded.length & 255, padded.length >> 8]);
  bytes.set(Buffer.from(padded), 10);
  bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), 10 + padded.length);
  return bytes;
}
