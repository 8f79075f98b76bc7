import { runKernel } from "../../run-kernel.ts";
import type { Tensor, TensorInfo } from "../../tf.ts";
import { registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";

interface KeptAttrs {
  readonly shapes: readonly number[][];
}

/**
 * Registers the gradient of a kernel whose first output is a loss, and whose others are its gradients by its inputs, in
 * their order, as `allocateSaved` makes them: each times the gradient of the loss.
 */
export function registerKeptGradients(kernelName: string, inputNames: readonly string[]): void {
  const gradName = `${kernelName}Grad`;
  registerSharedKernel<string, KeptAttrs>(gradName, ({ inputs, attrs: { shapes }, backend }) =>
    inputNames.map((name, i) => backend.scaled(tensorOf(inputs, name), tensorOf(inputs, "dy"), shapes[i] as number[])),
  );
  const kept = inputNames.map(() => true);
  registerNativeGradient(
    kernelName,
    { inputsToSave: [...inputNames], outputsToSave: [false, ...kept] },
    (dy, saved, _attrs) => {
      const shapes = saved.slice(0, inputNames.length).map(({ shape }) => shape);
      const gradients = Object.fromEntries(inputNames.map((name, i) => [name, saved[inputNames.length + i] as Tensor]));
      const parts = runKernel(gradName, { dy, ...gradients }, { shapes });
      return Object.fromEntries(inputNames.map((name, i) => [name, parts[i] as Tensor]));
    },
  );
}

function tensorOf(inputs: Readonly<Record<string, TensorInfo>>, name: string): TensorInfo {
  return inputs[name] as TensorInfo;
}
