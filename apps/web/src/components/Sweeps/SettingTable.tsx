import { Anchor, Badge, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { sweepQuery } from "../../services/documents/sweeps.ts";
import { humanize } from "../../services/format.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { figureName, formatMetric, type Judged } from "../../services/metrics.ts";
import { valueText } from "../../services/spec-difference.ts";
import { sweptFields } from "../../services/sweep-table.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";

export type SummedSweep = NonNullable<ResultOf<typeof sweepQuery>["sweep"]>;
type Setting = SummedSweep["settings"][number];
type Trial = Setting["trials"][number];

/** The settings of a sweep, one a row: what each changes, and what came of it over its seeds. */
export function SettingTable({ summed }: { readonly summed: SummedSweep }) {
  const { sweep, settings, best } = summed;
  return (
    <DataTable
      label="Settings"
      columns={[
        ...(sweep.search ? searchColumns : sweptFields(settings).map((field) => fieldColumn(field))),
        figureColumn("val", sweep.metric, sweep.task, ({ validation }) => validation),
        figureColumn("test", sweep.metric, sweep.task, ({ test }) => test),
        trialsColumn,
        bestColumn(best?.setting ?? null),
      ]}
      rows={settings}
      rowKey={({ index }) => index}
      minWidth={720}
    />
  );
}

/** Candidates of a search differ in many fields: their names say more. */
const searchColumns: readonly Column<Setting>[] = [
  { head: "Setting", isRowHead: true, cell: ({ title }) => title },
  {
    head: "Epochs",
    align: "right",
    hint: "At most",
    cell: ({ changes }) => valueText((changes as Readonly<Record<string, unknown>>)["train.epochs"]),
  },
];

const trialsColumn: Column<Setting> = {
  head: "Jobs by seed",
  cell: ({ trials }) => (
    <Group gap="xs">
      {trials.map((trial) => (
        <TrialLink key={trial.jobId} trial={trial} />
      ))}
    </Group>
  ),
};

function bestColumn(best: number | null): Column<Setting> {
  return {
    head: "Best",
    isHeadHidden: true,
    align: "right",
    cell: ({ index }) => best === index && <Badge variant="light">Best</Badge>,
  };
}

function fieldColumn({ path, title }: { readonly path: string; readonly title: string }): Column<Setting> {
  return {
    key: path,
    head: title,
    hint: path,
    isRowHead: true,
    cell: ({ changes }) => valueText((changes as Readonly<Record<string, unknown>>)[path]),
  };
}

function figureColumn(
  split: string,
  metric: string | null,
  task: Judged,
  spreadOf: (setting: Setting) => Setting["validation"],
): Column<Setting> {
  const name = metric ?? "result";
  const show = (value: number) => formatMetric(value, name, task);
  return {
    head: figureName(`${split}/${name}`, task),
    align: "right",
    hint: "Mean and standard deviation over the seeds",
    cell: (setting) => {
      const spread = spreadOf(setting);
      if (!spread) return "–";
      return spread.deviation === null ? show(spread.mean) : `${show(spread.mean)} ± ${show(spread.deviation)}`;
    },
  };
}

function TrialLink({ trial: { jobId, seed, state } }: { readonly trial: Trial }) {
  const what = humanize(state.toLowerCase());
  return (
    <Anchor
      size="sm"
      title={what}
      {...(state === "FAILED" && { c: "red" })}
      aria-label={`Seed ${seed}, ${what}`}
      {...(state !== "SUCCEEDED" && { td: "underline dotted" })}
      renderRoot={(props) => <Link {...props} to="/jobs/$jobId" params={{ jobId }} />}
    >
      {seed}
    </Anchor>
  );
}
