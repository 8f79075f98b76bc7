import type { Proposed } from "./candidates.ts";

/** One thing changed of a proposal; nothing where it has no such thing. */
type Vary = (from: Proposed) => Proposed[];

/** One thing at a time, what matters most often first. */
export const variations: readonly Vary[] = [
  varyOption("train.optimizer", "lr", "a third of the learning rate", (lr) => lr / 3),
  varyOption("train.optimizer", "weightDecay", "another penalty", (decay) => (decay === 0 ? 5e-4 : decay / 10)),
  varyNumber("task.threshold", "a lower threshold", (threshold) => threshold * 0.7),
  varyField("task.penalty", "weight", "a fifth of the penalty", (weight) => weight / 5),
  varyOption("model", "dropout", "another dropout", (dropout) => (dropout > 0.4 ? 0.3 : 0.6)),
  oneLayerMore,
  varyOption("model", "hiddenFeats", "twice as wide", (width) => width * 2),
  varyField("task.penalty", "weight", "three times the penalty", (weight) => weight * 3),
  varyNumber("task.threshold", "a higher threshold", (threshold) => threshold * 1.3),
  featuresAsTheyAre,
  varyOption("model", "inputDropout", "another share of the inputs dropped", (share) => (share > 0 ? 0 : 0.3)),
  varyOption("train.optimizer", "weightDecay", "ten times the penalty", (decay) => (decay === 0 ? 5e-3 : decay * 10)),
  varyOption("train.optimizer", "lr", "three times the learning rate", (lr) => lr * 3),
];

interface Component {
  readonly type?: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Changes a number among the options of a component; what does not name it is not varied. */
function varyOption(path: string, option: string, what: string, change: (value: number) => number): Vary {
  return (from) => {
    const choice = from.changes[path] as Component | undefined;
    const value = choice?.options?.[option];
    if (typeof value !== "number") return [];
    return changed(from, what, {
      [path]: { ...choice, options: { ...choice?.options, [option]: shown(change(value)) } },
    });
  };
}

function varyField(path: string, field: string, what: string, change: (value: number) => number): Vary {
  return (from) => {
    const section = from.changes[path] as Readonly<Record<string, unknown>> | undefined;
    const value = section?.[field];
    if (typeof value !== "number") return [];
    return changed(from, what, { [path]: { ...section, [field]: shown(change(value)) } });
  };
}

function varyNumber(path: string, what: string, change: (value: number) => number): Vary {
  return (from) => {
    const value = from.changes[path];
    return typeof value === "number" ? changed(from, what, { [path]: shown(change(value)) }) : [];
  };
}

/** One hop further; of drawn neighbours a few in it. */
function oneLayerMore(from: Proposed): Proposed[] {
  const { model, sampling } = from.changes as { readonly model?: Component; readonly sampling?: Component };
  const numLayers = model?.options?.["numLayers"];
  if (typeof numLayers !== "number" || numLayers > 4) return [];
  const deeper = { ...model, options: { ...model?.options, numLayers: numLayers + 1 } };
  const fanouts = sampling?.options?.["fanouts"];
  if (!Array.isArray(fanouts)) return changed(from, "a layer more", { model: deeper });
  const further = { ...sampling, options: { ...sampling?.options, fanouts: [...(fanouts as number[]), 5] } };
  return changed(from, "a layer more", { model: deeper, sampling: further });
}

function featuresAsTheyAre(from: Proposed): Proposed[] {
  const transforms = from.changes["features.transforms"];
  if (!Array.isArray(transforms) || transforms.length === 0) return [];
  return changed(from, "features as they are", { "features.transforms": [] });
}

function changed({ title, changes }: Proposed, what: string, own: Proposed["changes"]): Proposed[] {
  return [{ title: `${title}, ${what}`, changes: { ...changes, ...own } }];
}

/** Without the last digits of a binary fraction: the number is shown. */
function shown(value: number): number {
  return Number(value.toPrecision(3));
}
