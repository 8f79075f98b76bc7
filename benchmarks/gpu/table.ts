import type { CheckResults, StepResult } from "./results.ts";
import type { Figures } from "./run-step.ts";

/** Ceilings: what measures of a bound are compared with */
const ceilingOf: Readonly<Record<string, string>> = { copy: "copy", randomRows: "randomRows", products: "fp32" };

/** What one device gave, as Markdown: a table of the steps, and one of kernels beside the device's ceilings. */
export function deviceTable(results: CheckResults): string {
  const { device, isEmulated, startedAt, driver, cuda, commit, steps } = results;
  const source = [
    `${startedAt.slice(0, 10)}, commit ${commit.slice(0, 8)}`,
    driver && `driver ${driver}, CUDA ${cuda}`,
  ];
  const heading = isEmulated ? "the emulation, which measures nothing" : device;
  const rows = steps.map(
    ({ title, state, seconds, figures, why }) =>
      `| ${title} | ${state} | ${seconds} s | ${why ? cell(why) : summary(figures)} |`,
  );
  return [
    `### ${heading}`,
    "",
    `${source.filter(Boolean).join("; ")}.`,
    "",
    "| step | state | time | found |",
    "| --- | --- | --- | --- |",
    ...rows,
    ...measureTable(steps),
  ].join("\n");
}

function measureTable(steps: readonly StepResult[]): string[] {
  const measures = steps.find(({ name }) => name === "measures")?.figures.filter(({ name }) => name) ?? [];
  if (measures.length === 0) return [];
  const rateOf = (name: string | undefined) => measures.find((each) => each.name === name)?.rate as number | undefined;
  const rows = measures.map((each) => {
    if (each.error) return `| ${shown(each.name)} | ${cell(shown(each.error))} | | |`;
    // Without cuBLASLt our own product stands for the best one.
    const ceiling = rateOf(ceilingOf[shown(each.bound)]) ?? (each.bound === "products" ? rateOf("sgemm") : undefined);
    const share = ceiling ? `${Math.round((100 * (each.rate as number)) / ceiling)} %` : "";
    const found = [each.name, `${shown(each.milliseconds)} ms`, `${shown(each.rate)} ${shown(each.unit)}`, share];
    return `| ${found.map(shown).join(" | ")} |`;
  });
  return ["", "| measure | time | rate | of its ceiling |", "| --- | --- | --- | --- |", ...rows];
}

/** Each line of figures that is not in the table of measures. */
function summary(figures: readonly Figures[]): string {
  const lines = figures.filter(({ milliseconds, error, device }) => !milliseconds && !error && !device);
  return cell(
    lines
      .map((each) =>
        Object.entries(each)
          .map(([name, value]) => `${name} ${shown(value)}`)
          .join(", "),
      )
      .join("; "),
  );
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

const cellChars = 800;

/** On one line; the rest of a long text is in the results' file. */
function cell(text: string): string {
  const line = text.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ");
  return line.length > cellChars ? `${line.slice(0, cellChars)}…` : line;
}
