import { paperOf } from "./preset-rows.ts";
import { type Judged, percent } from "./report.ts";
import { dataNameOf, type Metric, referencesOf } from "./row.ts";

/** The table of the README: each set with its preset, the library's defaults of the same model and a paper's figure. */
export function presetTable(judged: readonly Judged[]): string {
  const lines = judged.flatMap((chosen) => {
    const [defaults] = referencesOf(chosen.row).map((name) => judged.find(({ row }) => row.name === name));
    return defaults ? [lineOf(chosen, defaults)] : [];
  });
  const head = "| set | metric | preset chosen | preset | library defaults | paper |\n|---|---|---|---|---|---|\n";
  return head + lines.join("");
}

const metrics: Readonly<Partial<Record<Metric, string>>> = { rocAuc: "ROC-AUC", microF1: "micro F1" };

function lineOf(chosen: Judged, defaults: Judged): string {
  const { data, metric, name } = chosen.row;
  const set = dataNameOf(data);
  const preset = name.slice(set.length + 1);
  return `| ${set} | ${metrics[metric] ?? metric} | ${preset} | ${figure(chosen)} | ${figure(defaults)} | ${paperOf(chosen.row)} |\n`;
}

function figure({ mean, std, runs }: Judged): string {
  const spread = runs.length > 1 ? ` ± ${percent(std)}` : "";
  return `${percent(mean)}${spread} (${runs.length})`;
}
