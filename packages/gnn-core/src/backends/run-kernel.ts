import { engine, getBackend, getKernel, type NamedAttrMap, type Tensor } from "./tf.ts";

/** Whether the active backend has a kernel of this name; where it has none, the op is composed of stock ones. */
export function hasKernel(kernelName: string): boolean {
  return getKernel(kernelName, getBackend()) !== undefined;
}

/**
 * Runs a kernel of the active backend through the engine, which records it on the tape. Blocks and other plain data
 * travel in `attrs`, never as tensors.
 */
export function runKernel(kernelName: string, inputs: Record<string, Tensor>, attrs: object): Tensor[] {
  const outputs = engine().runKernel<Tensor | Tensor[]>(kernelName, inputs, attrs as NamedAttrMap);
  return Array.isArray(outputs) ? outputs : [outputs];
}
