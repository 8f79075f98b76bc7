/** 256 bytes: tensor cores want matrices that begin at such places. */
const alignedFloats = 64;

export interface Place {
  readonly begin: number;
  readonly end: number;
}

/** Where arrays of float32 lie in one array of a device, one behind the other, with nothing in between but zeros. */
export function devicePlaces(sizes: readonly number[]): { readonly places: readonly Place[]; readonly length: number } {
  let length = 0;
  const places = sizes.map((size) => {
    const begin = length;
    length += Math.ceil(size / alignedFloats) * alignedFloats;
    return { begin, end: begin + size };
  });
  return { places, length };
}
