/** The one place that imports TensorFlow.js; everything else takes tensors from here. */
export * from "@tensorflow/tfjs-core";
