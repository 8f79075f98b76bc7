import type { ReactNode } from "react";
import type { EmbeddingMapState } from "../../hooks/use-embedding-map.ts";
import type { embeddingsQuery } from "../../services/documents/results.ts";
import { formatCount, formatFigure, formatPercent } from "../../services/format.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { LoadingShape } from "../LoadingShape/LoadingShape.tsx";
import { MapExplorer, type SharedByMaps } from "../MapExplorer/MapExplorer.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

export type Projection = NonNullable<
  NonNullable<NonNullable<ResultOf<typeof embeddingsQuery>["job"]>["embeddings"]>["projection"]
>;

interface MapPanelProps extends SharedByMaps, EmbeddingMapState {
  readonly title: string;
  readonly projection: Projection;
  /** Rows of the embeddings, of which the map may show fewer */
  readonly numRows: number;
  readonly isHalf: boolean;
  readonly aside?: ReactNode;
}

/** One map with its legend and tools, or what is there until its bytes have come. */
export function MapPanel({ title, projection, numRows, aside, map, problem, retry, ...shown }: MapPanelProps) {
  return (
    <Panel title={title} help={helpOf(projection, numRows)} aside={aside}>
      {problem && <ProblemAlert problem={problem} onRetry={retry} />}
      {!problem && map === null && <LoadingShape shape="map" />}
      {map && (
        <MapExplorer
          map={map}
          artifact={projection.artifact}
          names={projection.classes}
          columns={projection.columns}
          {...shown}
        />
      )}
    </Panel>
  );
}

/** How much is drawn, how to look at it, and how far the embeddings spread. */
function helpOf({ numPoints, numDetailed, hasUmap, explained, effectiveDim }: Projection, numRows: number): string {
  const inPlane = explained?.reduce((sum, part) => sum + part, 0);
  return [
    numPoints < numRows && `${formatCount(numPoints)} of ${formatCount(numRows)} nodes are drawn`,
    hasUmap && numDetailed < numPoints && `${formatCount(numDetailed)} of them by UMAP`,
    "Drag to move, use the wheel to zoom, click a dot to see what is known of its node",
    inPlane !== undefined && `The first two principal components hold ${formatPercent(inPlane)} of the variance`,
    effectiveDim !== null && `The embeddings spread over ${formatFigure(effectiveDim)} dimensions`,
  ]
    .filter((sentence) => sentence !== false)
    .map((sentence) => `${sentence}.`)
    .join(" ");
}
