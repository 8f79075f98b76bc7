import { Text, VisuallyHidden } from "@mantine/core";
import { formatCompact, formatCount } from "../../services/format.ts";
import classes from "./BarChart.module.css";

export interface Bar {
  readonly label: string;
  readonly count: number;
  readonly color?: string;
}

interface BarChartProps {
  readonly title: string;
  readonly bars: readonly Bar[];
  readonly unit: string;
  /** Bars that differ by magnitudes stay visible. */
  readonly logarithmic?: boolean;
}

/** The figure above a bar and the name below it, a line of 16 px each: the highest bar must leave them room. */
const captionHeight = 32;

/** Upright bars, as for a histogram: one per bin, with the figures as a table for screen readers. */
export function Histogram({ title, bars, unit, logarithmic = false }: BarChartProps) {
  const scale = (count: number) => (logarithmic ? Math.log10(count + 1) : count);
  const top = Math.max(...bars.map((bar) => scale(bar.count)), 1e-9);
  return (
    <figure className={classes.figure}>
      <VisuallyHidden>{`${title}: ${bars.map((bar) => `${bar.label}: ${bar.count} ${unit}`).join("; ")}`}</VisuallyHidden>
      <div className={classes.columns} aria-hidden="true">
        {bars.map((bar) => (
          <div key={bar.label} className={classes.column} title={`${bar.label}: ${formatCount(bar.count)} ${unit}`}>
            <span className={classes.count}>{bar.count > 0 ? formatCompact(bar.count) : ""}</span>
            <div
              className={classes.upright}
              style={{ height: `calc((100% - ${captionHeight}px) * ${scale(bar.count) / top})` }}
            />
            <span className={classes.tick}>{bar.label}</span>
          </div>
        ))}
      </div>
    </figure>
  );
}

/** Lying bars with their names, largest first as given; shares are of `total`, where not all bars are shown. */
export function BarList({ title, bars, unit, total: given }: BarChartProps & { readonly total?: number }) {
  const top = Math.max(...bars.map((bar) => bar.count), 1);
  const total = (given ?? bars.reduce((sum, bar) => sum + bar.count, 0)) || 1;
  return (
    <ul className={classes.list} aria-label={title}>
      {bars.map((bar) => (
        <li key={bar.label} className={classes.row} title={`${formatCount(bar.count)} ${unit}`}>
          <Text size="sm" className="clip">
            {bar.label}
          </Text>
          <div className={classes.track} aria-hidden="true">
            <div className={classes.lying} style={{ width: `${(bar.count / top) * 100}%`, background: bar.color }} />
          </div>
          <Text size="sm" className="num" ta="right">
            {formatCount(bar.count)}
          </Text>
          <Text size="xs" c="dimmed" className="num" ta="right">
            {((bar.count / total) * 100).toFixed(1)} %
          </Text>
        </li>
      ))}
    </ul>
  );
}
