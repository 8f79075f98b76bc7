import { Text } from "@mantine/core";
import type { CSSProperties } from "react";
import { type Confusion, frequentMistakes, rowShares } from "../../services/confusion.ts";
import { formatCount, formatPercent } from "../../services/format.ts";
import classes from "./ConfusionMatrix.module.css";

/** Up to so many classes the cells have room for their counts. */
const mostWithCounts = 16;
/** On a cell of this share white and black can be read equally well, at 4.5 : 1. */
const whiteAbove = 0.82;

/**
 * Test nodes by label (row) and prediction (column). A cell has the stronger colour, the more of its row's nodes it
 * holds: what is right stands on the diagonal. Many classes have small cells, which say their count on hover.
 */
export function ConfusionMatrix({ confusion }: { readonly confusion: Confusion }) {
  const isDense = confusion.classes.length > mostWithCounts;
  return (
    <>
      <Text size="sm" c="dimmed">
        The test set: label by row, prediction by column; the stronger its colour, the larger its share of the row.
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard */}
      <div className={classes.box} tabIndex={0} role="group" aria-label="Confusion matrix, scrolls sideways">
        <table className={`${classes.matrix} num`} aria-label="Confusion matrix" data-dense={isDense}>
          <thead>
            <tr>
              <td />
              {confusion.classes.map((name) => (
                <th key={name} scope="col" title={name}>
                  <span>{name}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {confusion.classes.map((name, row) => (
              <Row key={name} confusion={confusion} row={row} isDense={isDense} />
            ))}
          </tbody>
        </table>
      </div>
      <Mistakes confusion={confusion} />
    </>
  );
}

interface RowProps {
  readonly confusion: Confusion;
  readonly row: number;
  readonly isDense: boolean;
}

function Row({ confusion, row, isDense }: RowProps) {
  const { classes: names, counts } = confusion;
  const shares = rowShares(confusion)[row] ?? [];
  return (
    <tr>
      <th scope="row" title={names[row]}>
        <span>{names[row]}</span>
      </th>
      {names.map((predicted, column) => {
        const count = counts[row]?.[column] ?? 0;
        const share = shares[column] ?? 0;
        return (
          <td
            key={predicted}
            style={{ "--share": share } as CSSProperties}
            data-strong={share > whiteAbove}
            data-right={row === column}
            title={`${names[row]}, taken for ${predicted}: ${formatCount(count)} (${formatPercent(share)})`}
          >
            <span className={isDense ? classes.unseen : undefined}>{formatCount(count)}</span>
          </td>
        );
      })}
    </tr>
  );
}

const mostListed = 5;

function Mistakes({ confusion }: { readonly confusion: Confusion }) {
  const mistakes = frequentMistakes(confusion, mostListed);
  if (mistakes.length === 0) return <Text size="sm">Every test node is taken for what it is.</Text>;
  return (
    <ul className={classes.list} aria-label="Most frequent mistakes">
      {mistakes.map(({ label, predicted, count, share }) => (
        <li key={`${label} ${predicted}`}>
          <b>{label}</b> taken for <b>{predicted}</b>: {formatCount(count)}{" "}
          <Text span size="sm" c="dimmed">
            ({formatPercent(share)} of {label})
          </Text>
        </li>
      ))}
    </ul>
  );
}
