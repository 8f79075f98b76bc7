import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { enableProdMode } from "@tensorflow/tfjs-core";
import { GnnError } from "../errors/gnn-error.ts";

/** The one place that imports TensorFlow.js; everything else takes tensors from here. */
export * from "@tensorflow/tfjs-core";

// Silences the greeting that advises tfjs-node; it switches off no check.
enableProdMode();
registerGradients();

/** tfjs-core alone registers no gradients; script/build-native bundles their registration. */
function registerGradients(): void {
  const path = fileURLToPath(new URL("../../generated/register-all-gradients.cjs", import.meta.url));
  try {
    createRequire(import.meta.url)(path);
  } catch (cause) {
    throw new GnnError("NATIVE_NOT_BUILT", `${path} cannot be loaded; run script/build-native.`, { cause });
  }
}
