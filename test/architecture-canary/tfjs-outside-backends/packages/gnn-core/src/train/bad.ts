import "@tensorflow/tfjs-core";
