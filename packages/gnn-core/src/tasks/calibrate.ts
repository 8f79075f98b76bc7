import type { CalibratedSplit, CalibrationInfo } from "../spec/calibration-info.ts";
import { reliabilityOf } from "./reliability.ts";
import { fitTemperature, type ScoredNodes } from "./temperature.ts";

/** The labelled nodes of the splits that are judged; null: the split has none */
export interface ScoredSplits {
  readonly val: ScoredNodes | null;
  readonly test: ScoredNodes | null;
}

/**
 * One temperature from the validation nodes, and how reliable the probabilities of both splits are without and with
 * it. The test nodes have no say in the temperature.
 *
 * @param onPass after each pass over the nodes of a split
 * @returns null when neither split has nodes
 */
export function calibrate({ val, test }: ScoredSplits, onPass: () => void = () => {}): CalibrationInfo | null {
  if (!val && !test) return null;
  const fitted = val ? fitTemperature(val, onPass) : ({ temperature: null, unfitted: "noValidation" } as const);
  const { temperature } = fitted;
  const judged = (nodes: ScoredNodes | null): CalibratedSplit | null => {
    const before = nodes && reliabilityOf(nodes, 1);
    onPass();
    if (!nodes || !before) return null;
    return { before, after: temperature === null ? null : reliabilityOf(nodes, temperature) };
  };
  return { ...fitted, val: judged(val), test: judged(test) };
}

/** For the log */
export function calibrationFigures({ temperature, unfitted, test }: CalibrationInfo): Record<string, number | string> {
  return {
    ...(temperature === null ? { unfitted: unfitted ?? "" } : { temperature }),
    ...(test && { testEce: test.before.ece }),
    ...(test?.after && { testEceAfter: test.after.ece }),
  };
}
