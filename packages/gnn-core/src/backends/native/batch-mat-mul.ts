import type { ArrayTypes } from "../memory.ts";
import { broadcast_util, type TensorInfo, util } from "../tf.ts";
import type { KernelCall } from "./native-kernel.ts";

export interface BatchMatMulAttrs {
  readonly transposeA: boolean;
  readonly transposeB: boolean;
}

/** tfjs' BatchMatMul: [..., m, k]·[..., k, n], batches broadcast against each other. */
export function batchMatMul<M extends ArrayTypes>({
  inputs,
  attrs,
  backend,
  addon,
}: KernelCall<"a" | "b", BatchMatMulAttrs, M>): TensorInfo {
  const { a, b } = inputs;
  const { transposeA, transposeB } = attrs;
  const [m, k] = matrixShape(a, transposeA);
  const [, n] = matrixShape(b, transposeB);
  const batchA = a.shape.slice(0, -2);
  const batchB = b.shape.slice(0, -2);
  const batch = broadcast_util.assertAndGetBroadcastShape(batchA, batchB);
  const out = backend.allocate([...batch, m, n]);
  const valuesA = backend.floats(a);
  const valuesB = backend.floats(b);
  const countA = util.sizeFromShape(batchA);
  const countB = util.sizeFromShape(batchB);
  for (let i = 0; i < util.sizeFromShape(batch); i++) {
    // tfjs has checked that unequal batches are 1 against n.
    const fromA = (i % countA) * m * k;
    const fromB = (i % countB) * k * n;
    addon.sgemm(
      transposeA,
      transposeB,
      m,
      n,
      k,
      backend.part(valuesA, fromA, fromA + m * k),
      backend.part(valuesB, fromB, fromB + k * n),
      backend.part(out.values, i * m * n, (i + 1) * m * n),
    );
  }
  return out.info;
}

function matrixShape({ shape }: TensorInfo, transpose: boolean): [number, number] {
  const [rows, columns] = shape.slice(-2) as [number, number];
  return transpose ? [columns, rows] : [rows, columns];
}
