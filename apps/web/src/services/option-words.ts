import { humanize } from "./format.ts";

/** Names that are written otherwise than their word in a spec */
const known: Readonly<Record<string, string>> = {
  relu: "ReLU",
  elu: "ELU",
  leakyRelu: "Leaky ReLU",
  tanh: "tanh",
  adam: "Adam",
  adamw: "AdamW",
  sgd: "SGD",
  adagrad: "AdaGrad",
  sparseAdam: "Adam on the rows of a step",
  sparseAdagrad: "AdaGrad on the rows of a step",
  cpu: "CPU",
  cuda: "GPU (CUDA)",
  gcn: "GCN",
  metis: "METIS",
  kway: "All parts at once",
  recursive: "Halves of halves",
  cut: "Cut edges",
  volume: "Communication volume",
  fp32: "32-bit floats",
  fp16: "16-bit floats",
  int8: "8-bit integers",
  mse: "Squared error",
  mae: "Absolute error",
  huber: "Huber",
  concat: "Side by side",
  inEdges: "In-edges",
  nodeTypes: "Types of nodes",
  inEdgesByType: "In-edges by type",
  "val/accuracy": "Validation accuracy",
  "val/loss": "Validation loss",
  "val/microF1": "Validation micro F1",
  "val/macroF1": "Validation macro F1",
  "val/averagePrecision": "Validation average precision",
  "val/rocAuc": "Validation ROC AUC",
  "val/r2": "Validation R²",
  "val/mae": "Validation absolute error",
  "val/rmse": "Validation root of squared error",
  max: "The higher, the better",
  min: "The lower, the better",
};

/** A choice of a schema as people read it: "leakyRelu" → "Leaky ReLU", "layerwise" → "Layerwise" */
export function optionText(option: string): string {
  return Object.hasOwn(known, option) ? (known[option] ?? option) : humanize(option);
}
