import { Table, type TableTdProps, type TableThProps, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { ReactNode } from "react";

export interface Column<Row> {
  readonly head: string;
  /** Drawn in place of the head's words, where the head holds more than they */
  readonly headContent?: ReactNode;
  readonly headProps?: TableThProps & { readonly "data-used"?: boolean };
  /** Tells columns of one head apart. */
  readonly key?: string;
  /** For buttons, which say themselves what they do */
  readonly isHeadHidden?: boolean;
  readonly cell: (row: Row, index: number) => ReactNode;
  readonly align?: "right";
  readonly width?: number;
  /** Lets the head sort the rows: how they stand by it now, and what a press on it does */
  readonly sort?: { readonly state: "ascending" | "descending" | "none"; readonly onSort: () => void };
  /** What the head means, on hover */
  readonly hint?: string;
  /** Whether its cells name their rows */
  readonly isRowHead?: boolean;
  readonly cellProps?: (row: Row, index: number) => TableTdProps;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row, index: number) => string | number;
  /** Below this width the table scrolls sideways in its own box. */
  readonly minWidth: number;
  /** "list" stands alone on a page, with room around its rows; "figures" inside a panel. */
  readonly spacing?: "list" | "figures";
  readonly highlightOnHover?: boolean;
  readonly withRowBorders?: boolean;
  readonly withColumnBorders?: boolean;
  readonly className?: string | undefined;
}

/** What stands beside a table at most: the navigation and the frames of page and panel */
const pageMargin = 340;

/** Every table of the dashboard: named for screen readers, figures to the right, never wider than the page. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, minWidth, spacing = "figures", ...look } = props;
  // A box that may have to scroll is reached by the keyboard; where there is room enough it is no stop.
  const isNarrow = useMediaQuery(`(max-width: ${minWidth + pageMargin}px)`);
  const room = spacing === "list" ? { verticalSpacing: "sm", horizontalSpacing: "md" } : {};
  return (
    <Table.ScrollContainer minWidth={minWidth} scrollAreaProps={isNarrow ? { viewportProps: { tabIndex: 0 } } : {}}>
      <Table aria-label={label} {...room} {...look}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <HeadCell key={column.key ?? column.head} column={column} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody className="num">
          {rows.map((row, index) => (
            <Table.Tr key={rowKey(row, index)}>
              {columns.map((column) => (
                <DataCell key={column.key ?? column.head} column={column} row={row} index={index} />
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const arrows = { ascending: " ▲", descending: " ▼", none: "" } as const;

function HeadCell<Row>({ column }: { readonly column: Column<Row> }) {
  const { head, headContent, headProps, align, width, hint, isHeadHidden, sort } = column;
  if (isHeadHidden) {
    return (
      <Table.Th {...(width !== undefined && { w: width })}>
        <VisuallyHidden>{head}</VisuallyHidden>
      </Table.Th>
    );
  }
  const look = { ...(align && { ta: align }), ...(width !== undefined && { w: width }), title: hint };
  if (!sort) {
    return (
      <Table.Th {...look} {...headProps}>
        {headContent ?? head}
      </Table.Th>
    );
  }
  return (
    <Table.Th {...look} {...headProps} aria-sort={sort.state}>
      <UnstyledButton fz="inherit" fw="inherit" onClick={sort.onSort} style={{ whiteSpace: "nowrap" }}>
        {headContent ?? head}
        <span aria-hidden="true">{arrows[sort.state]}</span>
      </UnstyledButton>
    </Table.Th>
  );
}

interface DataCellProps<Row> {
  readonly column: Column<Row>;
  readonly row: Row;
  readonly index: number;
}

function DataCell<Row>({ column, row, index }: DataCellProps<Row>) {
  const content = column.cell(row, index);
  if (column.isRowHead) return <Table.Th scope="row">{content}</Table.Th>;
  return (
    <Table.Td {...(column.align && { ta: column.align })} {...column.cellProps?.(row, index)}>
      {content}
    </Table.Td>
  );
}
