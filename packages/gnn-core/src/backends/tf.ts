import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Tensor, TensorContainer } from "@tensorflow/tfjs-core";
import { GnnError } from "../errors/gnn-error.ts";

const require = createRequire(import.meta.url);

/**
 * The one place that loads TensorFlow.js; everything else takes tensors from here. By `require`: an `import` of these
 * CommonJS files has Node parse them for names first, 0.4 CPU seconds of every process.
 */
export const tfjs: typeof import("@tensorflow/tfjs-core") = require("@tensorflow/tfjs-core");

/** Loading it registers the backend `cpu` and its kernels. */
export function loadCpuBackend(): typeof import("@tensorflow/tfjs-backend-cpu") {
  return require("@tensorflow/tfjs-backend-cpu");
}

export type {
  BackendValues,
  DataId,
  DataType,
  GradSaveFunc,
  KernelFunc,
  NamedAttrMap,
  NamedTensorMap,
  Rank,
  Scalar,
  Tensor,
  Tensor1D,
  Tensor2D,
  Tensor3D,
  TensorInfo,
  Variable,
} from "@tensorflow/tfjs-core";
export const {
  abs,
  add,
  backend,
  backend_util,
  broadcast_util,
  concat,
  cos,
  customGrad,
  div,
  elu,
  engine,
  exp,
  expandDims,
  fill,
  findBackend,
  gather,
  getBackend,
  getKernel,
  getKernelsForBackend,
  grads,
  keep,
  leakyRelu,
  log1p,
  logSoftmax,
  matMul,
  max,
  maximum,
  mean,
  memory,
  minimum,
  mul,
  neg,
  norm,
  oneHot,
  ones,
  pad,
  registerBackend,
  registerGradient,
  registerKernel,
  relu,
  reshape,
  rsqrt,
  scatterND,
  setBackend,
  sigmoid,
  sin,
  slice,
  slice_util,
  softmax,
  sqrt,
  square,
  step,
  sub,
  sum,
  tanh,
  tensor,
  tensor1d,
  tensor2d,
  unsortedSegmentSum,
  util,
  variable,
  variableGrads,
  zeros,
} = tfjs;

/**
 * Runs `work` and disposes the tensors that it makes, but for those in what it returns: tfjs' own, which for that looks
 * at each number of an array of values.
 */
export function tidy<T extends TensorContainer>(work: () => T): T {
  const returned: T[] = [];
  tfjs.tidy(() => {
    returned.push(work());
    return tensorsIn(returned, [], new Set());
  });
  return returned[0] as T;
}

function tensorsIn(value: unknown, found: Tensor[], seen: Set<unknown>): Tensor[] {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || seen.has(value)) return found;
  seen.add(value);
  if (value instanceof tfjs.Tensor) found.push(value);
  else for (const inner of Object.values(value)) tensorsIn(inner, found, seen);
  return found;
}

// Silences the greeting that advises tfjs-node; it switches off no check.
tfjs.enableProdMode();
registerGradients();

/** tfjs-core alone registers no gradients; script/build-native bundles their registration. */
function registerGradients(): void {
  const path = fileURLToPath(new URL("../../generated/register-all-gradients.cjs", import.meta.url));
  try {
    require(path);
  } catch (cause) {
    throw new GnnError("NATIVE_NOT_BUILT", `${path} cannot be loaded; run script/build-native.`, { cause });
  }
}
