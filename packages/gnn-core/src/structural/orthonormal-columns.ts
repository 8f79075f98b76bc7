/** A column whose part outside those before it is shorter than this share of it says nothing new. */
const leastShare = 1e-5;

/**
 * From the inner products of columns Z, the matrix that makes them orthonormal in their order, as Gram and Schmidt do:
 *   G = Zᵀ D Z = RᵀR (Cholesky),  (Z · R⁻¹)ᵀ D (Z · R⁻¹) = I
 * A column that depends on those before it becomes 0.
 *
 * @param gram float64 [dim, dim], symmetric
 * @returns    float32 [dim, dim], upper triangular: R⁻¹
 */
export function orthonormalizer(gram: Float64Array, dim: number): Float32Array {
  const upper = cholesky(gram, dim);
  const inverse = new Float64Array(dim * dim);
  for (let column = 0; column < dim; column++) {
    const pivot = upper[column * dim + column] as number;
    if (pivot === 0) continue;
    inverse[column * dim + column] = 1 / pivot;
    for (let row = column - 1; row >= 0; row--) {
      const diagonal = upper[row * dim + row] as number;
      if (diagonal === 0) continue;
      let sum = 0;
      for (let k = row + 1; k <= column; k++) {
        sum += (upper[row * dim + k] as number) * (inverse[k * dim + column] as number);
      }
      inverse[row * dim + column] = -sum / diagonal;
    }
  }
  return Float32Array.from(inverse);
}

/** The upper triangle R of G = RᵀR; the row of a dependent column is 0. */
function cholesky(gram: Float64Array, dim: number): Float64Array {
  const upper = new Float64Array(dim * dim);
  for (let row = 0; row < dim; row++) {
    const rest = gram.slice(row * dim, (row + 1) * dim);
    for (let k = 0; k < row; k++) {
      const factor = upper[k * dim + row] as number;
      for (let column = row; column < dim; column++) {
        rest[column] = (rest[column] as number) - factor * (upper[k * dim + column] as number);
      }
    }
    const length = rest[row] as number;
    if (!(length > leastShare ** 2 * (gram[row * dim + row] as number))) continue;
    const pivot = Math.sqrt(length);
    for (let column = row; column < dim; column++) {
      upper[row * dim + column] = (rest[column] as number) / pivot;
    }
  }
  return upper;
}
