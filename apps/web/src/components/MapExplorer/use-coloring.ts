import { useMemo } from "react";
import type { ColumnValues, MapColumn } from "../../hooks/use-map-detail.ts";
import type { EmbeddingMapData } from "../../services/embedding-map.ts";
import { type Coloring, coloringByCategory, coloringByNumber } from "../../services/map-coloring.ts";
import type { MapDetail } from "../../services/map-detail.ts";

interface Known {
  readonly map: EmbeddingMapData;
  /** Names of the classes, in the order that labels count in */
  readonly classNames: readonly string[];
  readonly columns: readonly MapColumn[];
  readonly values: ColumnValues;
  readonly detail: MapDetail | null;
}

/** The colours of the points by one of the things that are known of them; by label until that has come. */
export function useColoring({ map, classNames, columns, values, detail }: Known, coloredBy: string): Coloring {
  const column = columns.find(({ name }) => name === coloredBy);
  const ofColumn = coloredBy === "degree" ? detail?.degrees : values.get(coloredBy);
  return useMemo(() => {
    if (ofColumn === undefined || coloredBy === "label") return coloringByCategory(map.labels, classNames, "no label");
    if (column?.type === "category") return coloringByCategory(new Int32Array(ofColumn), column.names);
    return coloringByNumber(ofColumn);
  }, [map, classNames, column, coloredBy, ofColumn]);
}
