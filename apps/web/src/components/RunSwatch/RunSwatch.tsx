import { dashOf, runColor } from "../../services/run-color.ts";
import { paletteColor } from "../../theme.ts";

interface RunSwatchProps {
  readonly id: string;
  /** How many lines of this colour come before this one, on a page that draws several */
  readonly dash?: number;
}

/** A short stroke in the colour that a run has on every page. */
export function RunSwatch({ id, dash = 0 }: RunSwatchProps) {
  return (
    <svg width={14} height={8} aria-hidden="true" style={{ flex: "none", marginRight: 6, verticalAlign: "middle" }}>
      <line
        x1={0}
        x2={14}
        y1={4}
        y2={4}
        stroke={paletteColor(runColor(id))}
        strokeWidth={4}
        strokeDasharray={dashOf(dash).join(" ") || undefined}
      />
    </svg>
  );
}
