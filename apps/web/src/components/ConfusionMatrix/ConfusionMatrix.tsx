import { Text } from "@mantine/core";
import type { Confusion } from "../../services/confusion.ts";
import { formatCount } from "../../services/format.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";

/** Test nodes by label (row) and prediction (column); what is right stands on the diagonal, in bold. */
export function ConfusionMatrix({ confusion: { classes, counts } }: { readonly confusion: Confusion }) {
  const columns: readonly Column<string>[] = [
    { head: "Label", isRowHead: true, cell: (label) => label },
    ...classes.map(
      (head, column): Column<string> => ({
        head,
        key: `predicted ${head}`,
        align: "right",
        cell: (_label, row) => formatCount(counts[row]?.[column]),
        cellProps: (_label, row) => ({ fw: row === column ? 700 : 400 }),
      }),
    ),
  ];
  return (
    <>
      <Text size="sm" c="dimmed" mt="md">
        Test nodes: label by row, prediction by column
      </Text>
      <DataTable
        label="Confusion matrix"
        columns={columns}
        rows={classes}
        rowKey={(label) => label}
        minWidth={0}
        withRowBorders={false}
      />
    </>
  );
}
