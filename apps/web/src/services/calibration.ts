import { formatCount, formatFigure, formatPercent } from "./format.ts";

/** Nodes whose predicted class has a probability in (bin/15, (bin+1)/15]. */
export interface ReliabilityBin {
  readonly bin: number;
  readonly count: number;
  /** Mean probability of the predicted class */
  readonly confidence: number;
  /** Share of them whose class was predicted */
  readonly accuracy: number;
}

export interface Reliability {
  readonly nodes: number;
  readonly ece: number;
  readonly nll: number;
  readonly bins: readonly ReliabilityBin[];
}

interface CalibratedSplit {
  readonly before: Reliability;
  readonly after: Reliability | null;
}

/** How far a classifier's probabilities can be trusted. */
export interface Calibration {
  readonly temperature: number | null;
  readonly unfitted: string | null;
  readonly val: CalibratedSplit | null;
  readonly test: CalibratedSplit | null;
}

export const numBins = 15;

/** The calibration of a model's info; null when there is none, as in older models and tasks without classes. */
export function calibrationOf(info: unknown): Calibration | null {
  const { calibration } = (info ?? {}) as { calibration?: Calibration | null };
  return calibration && (calibration.test ?? calibration.val) ? calibration : null;
}

/** The split that is shown: the test set, or where there is none the validation set. */
export function shownSplit({ test, val }: Calibration): (CalibratedSplit & { readonly name: string }) | null {
  if (test) return { ...test, name: "test" };
  return val && { ...val, name: "validation" };
}

const reasons: Record<string, string> = {
  noValidation: "There is no validation set to fit a temperature on: the probabilities are the model’s own.",
  allRight: "All of the validation set is right, which fits no temperature: the probabilities are the model’s own.",
  outOfRange:
    "No temperature from 0.01 to 100 makes the validation labels likeliest: the probabilities are the model’s own.",
};

/** What the diagram says, in words: how sure the model is, how often it is right, what the temperature does to it. */
export function calibrationWords(calibration: Calibration): readonly string[] {
  const split = shownSplit(calibration);
  if (!split) return [];
  const { before, after, name } = split;
  const { sure, right } = meansOf(before);
  const found = `The model is ${formatPercent(sure)} sure of its class on average and right for ${formatPercent(right)} of ${formatCount(before.nodes)} in the ${name} set: ${leaning(sure - right)}.`;
  if (!after || calibration.temperature === null)
    return [found, reasons[calibration.unfitted ?? ""] ?? ""].filter(Boolean);
  const fitted = meansOf(after);
  return [
    found,
    `At the temperature ${formatFigure(calibration.temperature)}, fitted on the validation set, it is ${formatPercent(fitted.sure)} sure: ${leaning(fitted.sure - fitted.right)}.`,
  ];
}

/** Up to so far apart, what is said and what is so are called alike. */
const slight = 0.01;

function leaning(gap: number): string {
  if (Math.abs(gap) < slight) return "about as sure as it should be";
  return `${gap > 0 ? "too sure" : "not sure enough"} by ${(Math.abs(gap) * 100).toFixed(1)} points`;
}

function meansOf({ bins, nodes }: Reliability): { readonly sure: number; readonly right: number } {
  const mean = (of: (bin: ReliabilityBin) => number) =>
    bins.reduce((sum, bin) => sum + bin.count * of(bin), 0) / Math.max(1, nodes);
  return { sure: mean(({ confidence }) => confidence), right: mean(({ accuracy }) => accuracy) };
}

/** A bin in words, for who points at it. */
export function binWords({ bin, count, confidence, accuracy }: ReliabilityBin): string {
  const edges = `${formatPercent(bin / numBins, 0)} to ${formatPercent((bin + 1) / numBins, 0)} sure`;
  return `${edges}: ${formatCount(count)} nodes, ${formatPercent(confidence)} on average, right for ${formatPercent(accuracy)}`;
}
