import { paletteColor } from "../../theme.ts";

interface SparklineProps {
  readonly values: readonly number[];
  /** Range of all lines that stand together, so that they can be compared */
  readonly range: readonly [number, number];
  /** Which colour of the palette */
  readonly color: number;
  readonly label: string;
}

const width = 96;
const height = 22;
const margin = 2;

/** A curve as small as a word. */
export function Sparkline({ values, range: [low, high], color, label }: SparklineProps) {
  const points = values.map((value, i) => {
    const x = margin + (i * (width - 2 * margin)) / Math.max(1, values.length - 1);
    const y = height - margin - ((value - low) / (high - low || 1)) * (height - 2 * margin);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg width={width} height={height} role="img" aria-label={label} style={{ display: "inline-block" }}>
      <polyline points={points.join(" ")} fill="none" stroke={paletteColor(color)} strokeWidth={1.5} />
    </svg>
  );
}
