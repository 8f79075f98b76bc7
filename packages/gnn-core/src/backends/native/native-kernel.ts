import type { ArrayTypes, HostArrays, KernelMemory } from "../memory.ts";
import { engine, type GradSaveFunc, registerGradient, registerKernel, type Tensor, type TensorInfo } from "../tf.ts";
import { type KernelAddon, loadAddon, type NativeAddon } from "./addon.ts";
import type { NativeBackend } from "./native-backend.ts";
import { nativeSync } from "./native-error.ts";

export type { GradSaveFunc };

/** What a native kernel sees. Blocks and other plain data travel in `attrs`, never as tensors. */
export interface NativeCall<Input extends string, Attrs> {
  readonly inputs: Readonly<Record<Input, TensorInfo>>;
  readonly attrs: Attrs;
  readonly backend: NativeBackend;
  readonly addon: NativeAddon;
}

/** Registers a kernel of the `native` backend. The addon is loaded on the first call, not here. */
export function registerNativeKernel<Input extends string, Attrs>(
  kernelName: string,
  kernel: (call: NativeCall<Input, Attrs>) => TensorInfo | TensorInfo[],
): void {
  registerKernel({
    kernelName,
    backendName: "native",
    kernelFunc: ({ inputs, attrs, backend }) =>
      nativeSync(() =>
        kernel({
          inputs: inputs as Record<Input, TensorInfo>,
          attrs: attrs as Attrs,
          backend: backend as NativeBackend,
          addon: loadAddon(),
        }),
      ),
  });
}

/** What a kernel sees that runs wherever the backend's arrays lie: it hands them around and never looks inside. */
export interface KernelCall<Input extends string, Attrs, M extends ArrayTypes> {
  readonly inputs: Readonly<Record<Input, TensorInfo>>;
  readonly attrs: Attrs;
  readonly backend: KernelMemory<M>;
  readonly addon: KernelAddon<M>;
}

export type SharedKernel<Input extends string = string, Attrs = unknown> = <M extends ArrayTypes>(
  call: KernelCall<Input, Attrs, M>,
) => TensorInfo | TensorInfo[];

/** By name, for the backends of devices. */
export const sharedKernels = new Map<string, SharedKernel>();

/** Registers a kernel of the `native` backend that those of devices have, too: one description, several executors. */
export function registerSharedKernel<Input extends string, Attrs>(
  kernelName: string,
  kernel: SharedKernel<Input, Attrs>,
): void {
  registerNativeKernel<Input, Attrs>(kernelName, (call) => kernel<HostArrays>(call));
  sharedKernels.set(kernelName, kernel as SharedKernel);
}

/**
 * Registers the gradient of a native kernel. `gradient` runs its own kernel at once and returns the parts by input
 * name: computing them inside the closures that tfjs asks for would repeat the work, and memoising there leaks.
 */
export function registerNativeGradient(
  kernelName: string,
  options: { inputsToSave: string[]; outputsToSave: boolean[] },
  gradient: (dy: Tensor, saved: Tensor[], attrs: object) => Readonly<Record<string, Tensor>>,
): void {
  registerGradient({
    kernelName,
    inputsToSave: options.inputsToSave,
    outputsToSave: options.outputsToSave,
    gradFunc: (dy, saved, attrs) => {
      const ofOutputs = Array.isArray(dy) ? dy : [dy];
      const parts = gradient(ofOutputs[0] as Tensor, saved, attrs ?? {});
      disposeRead(ofOutputs, saved, Object.values(parts));
      return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, () => part]));
    },
  });
}

/**
 * What a gradient has read nobody reads again, yet tfjs keeps it to the end of the backward pass: all gradients and all
 * saved tensors of a step at once. Not inside another gradient, whose tape may hold them; and a gradient that the
 * caller handed in stays his.
 */
function disposeRead(ofOutputs: readonly Tensor[], saved: readonly Tensor[], parts: readonly Tensor[]): void {
  const { gradientDepth, activeScope } = engine().state;
  if (gradientDepth > 0) return;
  const ofThisPass = new Set(activeScope.track.map(({ id }) => id));
  const read = [...ofOutputs.filter(({ id }) => ofThisPass.has(id)), ...saved];
  for (const tensor of read) if (!parts.includes(tensor)) tensor.dispose();
}
