import { formatCount, formatFigure } from "../../services/format.ts";
import classes from "./MiniHistogram.module.css";

interface MiniHistogramProps {
  readonly name: string;
  readonly edges: readonly number[];
  readonly counts: readonly number[];
}

/** A histogram as small as a word; the bar that is pointed at says its range and its count. */
export function MiniHistogram({ name, edges, counts }: MiniHistogramProps) {
  const top = Math.max(...counts, 1);
  const text = (i: number) =>
    `${formatFigure(edges[i])} to below ${formatFigure(edges[i + 1])}: ${formatCount(counts[i])}`;
  return (
    <div
      className={classes.bars}
      role="img"
      aria-label={`Distribution of ${name}: ${counts.map((_, i) => text(i)).join("; ")}`}
    >
      {counts.map((count, i) => (
        <span key={edges[i]} title={text(i)}>
          <i style={{ height: count === 0 ? 0 : `${Math.max(6, (count / top) * 100)}%` }} />
        </span>
      ))}
    </div>
  );
}
