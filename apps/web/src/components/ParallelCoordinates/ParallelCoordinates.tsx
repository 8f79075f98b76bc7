import type { RunGroup } from "../../services/comparison.ts";
import type { ParallelAxis } from "../../services/parallel-axes.ts";
import { dashOf } from "../../services/run-color.ts";
import { paletteColor } from "../../theme.ts";
import classes from "./ParallelCoordinates.module.css";

interface ParallelCoordinatesProps {
  readonly axes: readonly ParallelAxis[];
  readonly groups: readonly RunGroup[];
}

const between = 170;
const height = 220;
const [top, bottom, side] = [34, 22, 90];

/** Each run as a line from setting to setting, and at last to what it came to. */
export function ParallelCoordinates({ axes, groups }: ParallelCoordinatesProps) {
  const width = 2 * side + (axes.length - 1) * between;
  const x = (axis: number) => side + axis * between;
  const y = (place: number) => top + (1 - place) * (height - top - bottom);
  const runs = groups.flatMap(({ jobs, color, dash }) => jobs.map((job) => ({ job, color, dash })));
  return (
    <div className={classes.box}>
      <svg width={width} height={height} role="img" aria-label={`${runs.length} runs over ${axes.length} axes`}>
        {axes.map(({ title, low, high }, i) => (
          <g key={title}>
            <line className={classes.axis} x1={x(i)} x2={x(i)} y1={top} y2={height - bottom} />
            <text className={classes.title} x={x(i)} y={12} textAnchor="middle">
              {shortened(title)}
              <title>{title}</title>
            </text>
            <text className={classes.text} x={x(i)} y={top - 6} textAnchor="middle">
              {shortened(high)}
            </text>
            <text className={classes.text} x={x(i)} y={height - 6} textAnchor="middle">
              {shortened(low)}
            </text>
          </g>
        ))}
        {runs.map(({ job, color, dash }, run) => (
          <polyline
            key={job.id}
            className={classes.line}
            stroke={paletteColor(color)}
            strokeDasharray={dashOf(dash).join(" ") || undefined}
            points={pointsOf(axes, run, x, y)}
          >
            <title>{`${job.name || job.id}: ${axes.map(({ title, texts }) => `${title} ${texts[run]}`).join(", ")}`}</title>
          </polyline>
        ))}
      </svg>
    </div>
  );
}

/** A run without a value on an axis passes it by. */
function pointsOf(
  axes: readonly ParallelAxis[],
  run: number,
  x: (axis: number) => number,
  y: (place: number) => number,
): string {
  return axes
    .flatMap(({ places }, i) => {
      const place = places[run] ?? null;
      return place === null ? [] : [`${x(i)},${y(place).toFixed(1)}`];
    })
    .join(" ");
}

function shortened(text: string): string {
  return text.length > 22 ? `…${text.slice(-21)}` : text;
}
