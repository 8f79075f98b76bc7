import { readConfusion } from "./confusion.ts";
import type { JobSnapshot } from "./job-state.ts";
import { summaryOf } from "./metric-summary.ts";
import { metricOf } from "./metrics.ts";

/** Why a model that was trained to the end is of no use, in plain words, and what to try. */
export interface Doubt {
  readonly title: string;
  readonly detail: string;
}

type Trained = Pick<JobSnapshot, "model" | "series">;

const diverged = {
  title: "The training diverged",
  detail:
    "The loss grew instead of falling, so the model learned nothing that lasts. Try a tenth of the learning rate first, or set a limit to the norm of gradients.",
};

/**
 * What is wrong with the result of a job that succeeded, by what the API says of it; null when nothing shows. A model
 * that guesses is no failure of the service, but whoever reads "Succeeded" must not take it for a good one.
 */
export function doubtOf(job: Trained): Doubt | null {
  if (!job.model) return null;
  if (hasDiverged(job)) return diverged;
  return doubtOfClasses(job.model.info) ?? doubtOfNumbers(job.model.metrics) ?? overfitting(job);
}

/** The loss that is learnt by is no number at the end, or twice what it began with. */
function hasDiverged({ series }: Trained): boolean {
  const loss = series.find(({ name }) => name === "train/loss")?.values ?? [];
  const first = loss.find((value) => value !== null);
  if (loss.length === 0) return false;
  const last = loss.at(-1) ?? null;
  return last === null || (first !== undefined && first !== null && first > 0 && last > 2 * first);
}

function doubtOfClasses(info: unknown): Doubt | null {
  const confusion = readConfusion(info);
  if (!confusion || confusion.classes.length < 2) return null;
  const { classes, counts } = confusion;
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const labelled = counts.map(sum);
  const predicted = classes.map((_, column) => sum(counts.map((row) => row[column] ?? 0)));
  const total = sum(labelled);
  // Test nodes that are all of one class tell nothing.
  if (labelled.filter((count) => count > 0).length < 2) return null;
  const only = predicted.filter((count) => count > 0).length === 1 ? predicted.findIndex((count) => count > 0) : -1;
  if (only >= 0) return collapsed(classes[only] ?? "");
  const right = sum(counts.map((row, label) => row[label] ?? 0));
  const frequent = labelled.indexOf(Math.max(...labelled));
  return right <= (labelled[frequent] ?? 0) ? noBetter(right / total, classes[frequent] ?? "") : null;
}

function collapsed(name: string): Doubt {
  return {
    title: "The model says the same of everything",
    detail: `It takes all of the test set for “${name}”. Try a smaller learning rate, more epochs, or another preset; when nearly all labels are of that class, the graph may say too little of the others.`,
  };
}

function noBetter(accuracy: number, name: string): Doubt {
  return {
    title: "The model is no better than guessing",
    detail: `It is right for ${(accuracy * 100).toFixed(1)} % of the test set; to call every one “${name}”, the most frequent class, is right at least as often. Try the proposed preset, more epochs or another learning rate, and check that the column to predict is the one you mean.`,
  };
}

/** R² is 0 for who always says the mean. */
function doubtOfNumbers(metrics: unknown): Doubt | null {
  const r2 = metricOf(metrics, "test/r2");
  if (r2 === null || r2 > 0) return null;
  return {
    title: "The model is no better than the mean",
    detail:
      "To say the mean of the known values for every node is at least as near. Try a smaller learning rate, more epochs or another preset, and check that the column to predict is the one you mean.",
  };
}

/** How far the loss of validation nodes may grow again, and for how many epochs at least, before it is remarked on. */
const mostRegrowth = 1.3;
const leastEpochs = 10;

/**
 * The model went on learning its training nodes by heart: their loss fell on while that of the validation nodes, which
 * it never learns from, grew to 1.3 times its least. The weights of the best epoch are kept, so the result stands.
 */
function overfitting({ series }: Trained): Doubt | null {
  const val = series.find(({ name }) => name === "val/loss");
  const train = series.find(({ name }) => name === "train/loss");
  const found = val && summaryOf(val, "min");
  if (!found || !train) return null;
  const { best, last } = found;
  const learned = train.values[train.steps.indexOf(best.at)] ?? null;
  const learnedLast = train.values.at(-1) ?? null;
  const goesOn = learned !== null && learnedLast !== null && learnedLast < learned;
  if (!goesOn || last.at - best.at < leastEpochs || !(best.value > 0) || last.value < mostRegrowth * best.value) {
    return null;
  }
  return {
    title: "The model overfits",
    detail: `Since epoch ${best.at} the loss of the training set fell on, but that of the validation set grew to ${(last.value / best.value).toFixed(1)} times its least: the model learns its examples by heart. The weights of the best epoch are kept. Try early stopping, more dropout or weight decay, a smaller model, or more labels.`,
  };
}
