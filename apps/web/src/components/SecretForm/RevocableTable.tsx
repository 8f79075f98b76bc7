import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { CombinedError } from "urql";
import { ConfirmDialog } from "../ConfirmDialog/ConfirmDialog.tsx";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";

interface RevocableTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly minWidth: number;
  readonly spacing: "list" | "figures";
  /** What is revoked, in the words of the question: "the credential of gpu-2" */
  readonly nameOf: (row: Row) => string;
  /** What follows from it, in a sentence or two */
  readonly consequence: ReactNode;
  /** @returns whether it is revoked; null: whoever looks may revoke none */
  readonly onRevoke: ((row: Row) => Promise<boolean>) | null;
  readonly isBusy: boolean;
  readonly error: CombinedError | undefined;
}

/** Secrets that are in use, each with a button that takes it back after a question. */
export function RevocableTable<Row>(props: RevocableTableProps<Row>) {
  const { nameOf, consequence, onRevoke, isBusy, error, columns, ...table } = props;
  const [asked, setAsked] = useState<Row | null>(null);
  const confirm = async (row: Row) => {
    if (await onRevoke?.(row)) setAsked(null);
  };
  return (
    <>
      <DataTable {...table} columns={onRevoke === null ? columns : [...columns, revokeColumn(nameOf, setAsked)]} />
      <ConfirmDialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={asked ? `Revoke ${nameOf(asked)}?` : ""}
        error={error}
        isBusy={isBusy}
        keep="Keep it"
        confirm="Revoke it"
        onConfirm={() => asked && void confirm(asked)}
      >
        {consequence}
      </ConfirmDialog>
    </>
  );
}

function revokeColumn<Row>(nameOf: (row: Row) => string, onAsk: (row: Row) => void): Column<Row> {
  return {
    head: "Revoke",
    isHeadHidden: true,
    align: "right",
    cell: (row) => (
      <Button size="xs" variant="default" aria-label={`Revoke ${nameOf(row)}`} onClick={() => onAsk(row)}>
        Revoke
      </Button>
    ),
  };
}
