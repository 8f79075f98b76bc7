import { Anchor } from "@mantine/core";
import { useState } from "react";
import { formatCount } from "../../services/format.ts";
import { paletteColor } from "../../theme.ts";
import { BarList } from "../BarChart/BarChart.tsx";

interface ClassCountsProps {
  readonly counts: readonly { readonly label: string; readonly count: number }[];
  /** What is counted */
  readonly unit?: "nodes" | "graphs" | "edges";
}

/** More classes than this are folded; a list that is hardly longer is shown whole. */
const numTop = 10;

/** How many nodes, graphs or edges each class has: the largest first, all on request. */
export function ClassCounts({ counts, unit = "nodes" }: ClassCountsProps) {
  const [showsAll, setShowsAll] = useState(false);
  const bars = counts
    .map((one, index) => ({ ...one, color: paletteColor(index) }))
    .toSorted((a, b) => b.count - a.count);
  const isLong = counts.length > numTop + 2;
  return (
    <>
      <BarList
        title="Labels"
        unit={unit}
        bars={isLong && !showsAll ? bars.slice(0, numTop) : bars}
        total={counts.reduce((sum, { count }) => sum + count, 0)}
      />
      {isLong && (
        <Anchor component="button" type="button" size="sm" w="fit-content" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? `Only the ${numTop} largest` : `All ${formatCount(counts.length)} classes`}
        </Anchor>
      )}
    </>
  );
}
