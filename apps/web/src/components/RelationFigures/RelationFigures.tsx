import { useQuery } from "urql";
import { relationFiguresQuery } from "../../services/documents/results.ts";
import { formatCount } from "../../services/format.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { by, formatMetric, type Judged, metricOf, titleOf } from "../../services/metrics.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { Panel } from "../Panel/Panel.tsx";

type Row = NonNullable<ResultOf<typeof relationFiguresQuery>["job"]>["relationFigures"][number];

/** How well the held-out links of each relation are told apart; nothing where edges are all alike. */
export function RelationFigures({ jobId, task }: { readonly jobId: string; readonly task: Judged }) {
  const [{ data }] = useQuery({ query: relationFiguresQuery, variables: { id: jobId } });
  const rows = data?.job?.relationFigures ?? [];
  if (rows.length === 0) return null;
  return (
    <Panel
      title="By relation"
      help="The held-out links of each relation among the pairs drawn for them. A link that several relations have counts in each."
    >
      <DataTable
        label="Figures by relation"
        columns={columnsOf(rows, task)}
        rows={rows}
        rowKey={({ relations }) => relations.join("\n")}
        minWidth={520}
      />
    </Panel>
  );
}

/** A column for each figure of the test links, or of the validation links where none are kept for the test. */
export function columnsOf(rows: readonly Row[], task: Judged): Column<Row>[] {
  const split = rows.some(({ numLinks }) => numLinks.test > 0) ? "test" : "val";
  const names = Object.keys((rows[0]?.metrics ?? {}) as Record<string, unknown>).flatMap((name) =>
    name.startsWith(`${split}/`) ? name.slice(split.length + 1) : [],
  );
  const order = task?.metrics.map(({ name }) => name) ?? [];
  return [
    { head: "Relations", isRowHead: true, cell: ({ relations }) => relations.join(", ") },
    {
      head: split === "test" ? "Test links" : "Validation links",
      align: "right",
      cell: ({ numLinks }) => formatCount(numLinks[split]),
    },
    ...names.toSorted(by(order, (name) => name)).map(
      (name): Column<Row> => ({
        head: titleOf(name, task),
        align: "right",
        cell: ({ metrics }) => formatMetric(metricOf(metrics, `${split}/${name}`), name, task),
      }),
    ),
  ];
}
