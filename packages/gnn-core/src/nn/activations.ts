/** Activations by their name in an option; free of tensor imports, as option schemas read it. */
export const activations = ["relu", "elu", "leakyRelu", "tanh", "none"] as const;
export type Activation = (typeof activations)[number];
