/** A training run that takes a moment: its graph (`communityData`), model, sampler and optimizer. */
export const small = { numNodes: 400, numClasses: 4, dim: 8, numTrain: 80, numParts: 2 };
export const sageOf = (dropout: number) => ({ type: "sage", options: { hiddenFeats: 16, numLayers: 2, dropout } });
export const sampling = { type: "neighbor", options: { fanouts: [4, 3] } };
export const adam = { type: "adam" as const, options: { lr: 0.01 } };
