/** The layers a model is built from; models receive it as `nn`. */
export type Nn = Record<string, never>;
