import type { NamedVariable } from "../nn/variables.ts";
import type { TrainOptions } from "../spec/train-options.ts";
import { Adagrad } from "./adagrad.ts";
import { Adam, AdamW } from "./adam.ts";
import type { Optimizer } from "./optimizer.ts";
import { Sgd } from "./sgd.ts";

/** The optimizer that a job's options name. */
export function makeOptimizer(variables: readonly NamedVariable[], choice: TrainOptions["optimizer"]): Optimizer {
  switch (choice.type) {
    case "adam":
      return new Adam(variables, choice.options);
    case "adamw":
      return new AdamW(variables, choice.options);
    case "sgd":
      return new Sgd(variables, choice.options);
    default:
      return new Adagrad(variables, choice.options);
  }
}
