import { Alert, Grid, Loader, Stack } from "@mantine/core";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { type ColumnValues, type MapColumn, useMapDetail } from "../../hooks/use-map-detail.ts";
import type { EmbeddingMapData, MapArtifact } from "../../services/embedding-map.ts";
import { formatCount, formatFigure } from "../../services/format.ts";
import { type Coloring, columnTitle, groupName } from "../../services/map-coloring.ts";
import type { MapDetail, NeighborsOf } from "../../services/map-detail.ts";
import type { EmbeddingMapProps } from "../EmbeddingMap/EmbeddingMap.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";
import { type Highlighted, MapLegend } from "./MapLegend.tsx";
import { type LayoutName, MapToolbar } from "./MapToolbar.tsx";
import { PointCard } from "./PointCard.tsx";
import { SelectedNodes } from "./SelectedNodes.tsx";
import { useColoring } from "./use-coloring.ts";
import { type DrawnPoints, useDrawnPoints } from "./use-drawn-points.ts";

const EmbeddingMap = lazy(() => import("../EmbeddingMap/EmbeddingMap.tsx"));

/** What several maps have in common. */
export interface SharedByMaps {
  /** The picked node */
  readonly linked: LinkedPick;
  /** Null: UMAP where the map has it */
  readonly layout: LayoutName | null;
  readonly onLayout: (layout: LayoutName) => void;
}

interface MapExplorerProps extends SharedByMaps {
  readonly map: EmbeddingMapData;
  readonly artifact: MapArtifact;
  /** Names of the classes, in the order that labels count in */
  readonly names: readonly string[];
  readonly columns: readonly MapColumn[];
  /** Beside another map: what is said of nodes stands below. */
  readonly isHalf: boolean;
}

export interface LinkedPick {
  /** The node's id; null: none is picked */
  readonly id: string | null;
  readonly onPick: (id: string | null) => void;
}

/** The map of a job's embeddings: laid out and coloured as one likes, with what is known of a node or an area. */
export function MapExplorer(props: MapExplorerProps) {
  const { map, artifact, names, columns, linked } = props;
  const [coloredBy, setColoredBy] = useState(names.length > 0 ? "label" : (columns[0]?.name ?? "label"));
  const picked = useMemo(() => (linked.id === null ? null : map.find(linked.id)), [map, linked.id]);
  const setPicked = (point: number | null) => linked.onPick(point === null ? null : map.titleOf(point));
  const wanted = useMemo(
    () => columns.filter(({ name }) => name === coloredBy || (picked !== null && !name.startsWith("p_"))),
    [columns, coloredBy, picked],
  );
  const { problem, detail, ...known } = useMapDetail(artifact, wanted, picked !== null);
  return (
    <>
      {!map.hasIds && (
        <Alert color="gray" variant="light" title="This map has no ids and classes" mb="md">
          It was drawn by an earlier version. The rows of the graph are shown; a new training draws a map with your ids.
        </Alert>
      )}
      {problem && <ProblemAlert problem={problem} />}
      {detail === undefined ? (
        <Loader aria-label="The map is loading" m="xl" />
      ) : (
        <ExploredMap {...props} {...{ coloredBy, setColoredBy, picked, setPicked, detail, ...known }} />
      )}
    </>
  );
}

interface ExploredMapProps extends MapExplorerProps {
  readonly coloredBy: string;
  readonly setColoredBy: (name: string) => void;
  readonly picked: number | null;
  readonly setPicked: (point: number | null) => void;
  readonly detail: MapDetail | null;
  readonly values: ColumnValues;
  readonly neighborsOf: NeighborsOf | null;
}

function ExploredMap(props: ExploredMapProps) {
  const { map, names, columns, coloredBy, picked, setPicked, detail } = props;
  const layout = detail?.umap ? (props.layout ?? "umap") : "pca";
  const [highlighted, setHighlighted] = useState<Highlighted>(null);
  const [selected, setSelected] = useState<Int32Array | null>(null);
  const [isSelecting, setSelecting] = useState(false);
  const { coloring, drawn, describe } = useDrawing(props, layout);
  const find = (id: string) => {
    const point = map.find(id);
    if (point === null) return "No node with this id is on the map.";
    if (drawn.indexOf(point) === null) props.onLayout("pca");
    setPicked(point);
    return null;
  };
  return (
    <>
      <MapToolbar
        layout={layout}
        onLayout={detail?.umap ? props.onLayout : null}
        colorings={coloringsOf(names.length > 0, columns, detail)}
        coloredBy={coloredBy}
        onColorBy={(name) => {
          props.setColoredBy(name);
          setHighlighted(null);
        }}
        onFind={find}
        isSelecting={isSelecting}
        onSelecting={setSelecting}
      />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: props.isHalf ? 12 : 9 }}>
          <DrawnMap
            points={drawn.points}
            colors={coloring.colors}
            highlighted={highlighted}
            describe={describe}
            picked={picked === null ? null : drawn.indexOf(picked)}
            links={linksOf(picked, props, drawn)}
            onPick={(index) => setPicked(index === null ? null : drawn.pointOf(index))}
            isSelecting={isSelecting}
            onSelect={(indices) => {
              setSelected(indices.map((index) => drawn.pointOf(index)));
              setSelecting(false);
            }}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: props.isHalf ? 12 : 3 }}>
          <MapSide
            {...props}
            coloring={coloring}
            highlighted={highlighted}
            onHighlight={setHighlighted}
            selected={selected}
            onClear={() => setSelected(null)}
          />
        </Grid.Col>
      </Grid>
    </>
  );
}

/** The points of a layout in their colours, and what the tooltip says of each: its id, and what its colour means. */
function useDrawing(props: ExploredMapProps, layout: LayoutName) {
  const { map, names, columns, coloredBy, detail, values } = props;
  const coloring = useColoring({ map, classNames: names, columns, values, detail }, coloredBy);
  const drawn = useDrawnPoints(map.points, coloring.groups, detail, layout);
  const describe = useCallback(
    (index: number) => {
      const point = drawn.pointOf(index);
      return [map.titleOf(point), map.hasIds ? groupName(coloring, coloring.groups[point] ?? -1) : ""] as const;
    },
    [map, coloring, drawn],
  );
  return { coloring, drawn, describe };
}

function DrawnMap(props: EmbeddingMapProps) {
  return (
    <Suspense fallback={<Loader aria-label="The map is loading" m="xl" />}>
      <EmbeddingMap {...props} />
    </Suspense>
  );
}

interface MapSideProps extends ExploredMapProps {
  readonly coloring: Coloring;
  readonly highlighted: Highlighted;
  readonly onHighlight: (groups: Highlighted) => void;
  readonly selected: Int32Array | null;
  readonly onClear: () => void;
}

/** What is known of the picked node, which nodes were selected, and what the colours mean. */
function MapSide(props: MapSideProps) {
  const { map, columns, coloredBy, picked, setPicked, detail, values, coloring, highlighted, selected } = props;
  return (
    <Stack gap="md">
      {picked !== null && (
        <PointCard
          title={map.titleOf(picked)}
          facts={factsOf(picked, columns, values, detail)}
          nearest={detail?.nearestOf(picked) ?? null}
          neighbors={detail ? (props.neighborsOf?.(picked) ?? null) : []}
          titleOf={map.titleOf}
          onPick={setPicked}
        />
      )}
      {selected && <SelectedNodes points={selected} titleOf={map.titleOf} onClear={props.onClear} />}
      <MapLegend
        title={coloredBy === "label" ? "Classes" : columnTitle(coloredBy)}
        coloring={coloring}
        highlighted={highlighted}
        onHighlight={props.onHighlight}
      />
    </Stack>
  );
}

function coloringsOf(hasClasses: boolean, columns: readonly MapColumn[], detail: MapDetail | null) {
  const others = columns.map(({ name }) => name).filter((name) => name !== "label");
  const names = [...(hasClasses ? ["label"] : []), ...others];
  return [...names, ...(detail ? ["degree"] : [])].map((name) => ({ value: name, label: columnTitle(name) }));
}

/** Lines to the points near the picked one, where these are drawn. */
function linksOf(
  picked: number | null,
  { detail, neighborsOf }: Pick<ExploredMapProps, "detail" | "neighborsOf">,
  { indexOf }: DrawnPoints,
) {
  if (picked === null || detail === null) return { nearest: [], neighbors: [] };
  const drawnOf = (near: readonly { point: number }[]) => near.flatMap(({ point }) => indexOf(point) ?? []);
  return { nearest: drawnOf(detail.nearestOf(picked) ?? []), neighbors: drawnOf(neighborsOf?.(picked) ?? []) };
}

function factsOf(point: number, columns: readonly MapColumn[], values: ColumnValues, detail: MapDetail | null) {
  const known = columns.flatMap(({ name, names, type }) => {
    const value = values.get(name)?.[point];
    if (value === undefined || name.startsWith("p_")) return [];
    const text = type === "category" ? (names[value] ?? "not known") : formatFigure(value);
    return [{ label: columnTitle(name), value: text }];
  });
  return detail ? [...known, { label: "Degree", value: formatCount(detail.degrees[point]) }] : known;
}
