export interface HandmadeTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: ArrayLike<number>;
  readonly dtype?: string;
}

export interface HandmadeFile {
  /** Beside the tensors */
  readonly header?: object | undefined;
  /** In place of a header that says what there is */
  readonly text?: string | undefined;
  readonly length?: bigint | undefined;
  readonly data?: Uint8Array | undefined;
}

/** A safetensors file by its published layout, honest or not: u64 length of the header, JSON, arrays. */
export function handmade(tensors: readonly HandmadeTensor[], file: HandmadeFile = {}): Uint8Array {
  let offset = 0;
  const entries = tensors.map(({ name, shape, values, dtype = "F32" }) => {
    const begin = offset;
    offset += values.length * 4;
    return [name, { dtype, shape, data_offsets: [begin, offset] }] as const;
  });
  const text = Buffer.from(file.text ?? JSON.stringify({ ...file.header, ...Object.fromEntries(entries) }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(file.length ?? BigInt(text.length));
  const arrays = tensors.map(({ values }) => new Uint8Array(Float32Array.from(values).buffer));
  return Buffer.concat([length, text, ...arrays, file.data ?? new Uint8Array()]);
}
