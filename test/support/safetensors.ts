/** Reads float32 tensors of a safetensors file by its published layout: u64 header length, JSON header, data. */
export function readSafetensors(file: Uint8Array): Map<string, { shape: number[]; values: Float32Array }> {
  const headerBytes = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true));
  const header: Record<string, { dtype: string; shape: number[]; data_offsets: [number, number] }> = JSON.parse(
    new TextDecoder().decode(file.subarray(8, 8 + headerBytes)),
  );
  const tensors = new Map<string, { shape: number[]; values: Float32Array }>();
  for (const [name, entry] of Object.entries(header)) {
    if (name === "__metadata__") continue;
    const [start, end] = entry.data_offsets;
    const bytes = file.slice(8 + headerBytes + start, 8 + headerBytes + end);
    tensors.set(name, { shape: entry.shape, values: new Float32Array(bytes.buffer) });
  }
  return tensors;
}

/** A tensor of two dimensions as rows of numbers. */
export function asRows({
  shape: [rows = 0, columns = 0],
  values,
}: {
  shape: number[];
  values: Float32Array;
}): number[][] {
  return Array.from({ length: rows }, (_, row) => [...values.subarray(row * columns, (row + 1) * columns)]);
}
