import { engine } from "./tf.ts";

/**
 * After a pass that failed: gives back what its ops had saved for their gradients. tfjs keeps that, and the memory of
 * the device behind it, until it is asked for gradients again.
 */
export function dropTape(): void {
  const { state } = engine();
  if (state.gradientDepth > 0) return;
  for (const { saved } of state.activeTape ?? []) for (const tensor of saved ?? []) tensor.dispose();
  state.activeTape = [];
}
