import { useEffect, useRef, useState } from "react";
import type { MapArtifact } from "../services/embedding-map.ts";
import {
  type MapDetail,
  type NeighborsOf,
  readMapColumn,
  readMapDetail,
  readMapNeighbors,
} from "../services/map-detail.ts";
import { problemOfUnknown, type ShownProblem } from "../services/problem.ts";

/** What can be said of the points of a map, as the job's result lists it. */
export interface MapColumn {
  readonly name: string;
  readonly type: string;
  readonly names: readonly string[];
  readonly blob: string;
}

export type ColumnValues = ReadonlyMap<string, Int32Array | Float32Array>;

interface MapDetailState {
  /** Undefined while it is fetched; null for maps of earlier versions, and when it could not be had. */
  readonly detail: MapDetail | null | undefined;
  /** The columns that were asked for, as far as they have come; by name. */
  readonly values: ColumnValues;
  /** Null until a node is picked, and they have come. */
  readonly neighborsOf: NeighborsOf | null;
  readonly problem: ShownProblem | null;
}

/**
 * Fetches what a map knows beyond places and ids: each column when it is first wanted, the neighbours in the graph when
 * a node is first picked.
 */
export function useMapDetail(artifact: MapArtifact, wanted: readonly MapColumn[], isPicked: boolean): MapDetailState {
  const [detail, setDetail] = useState<MapDetail | null>();
  const [values, setValues] = useState<ColumnValues>(new Map());
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  const names = artifact.blobs.map(({ name }) => name).join("\n");
  const { id } = artifact;
  useEffect(() => {
    let isLeft = false;
    readMapDetail({ id, blobs: names.split("\n").map((name) => ({ name })) }).then(
      (found) => !isLeft && setDetail(found),
      (error: unknown) => {
        if (isLeft) return;
        setDetail(null);
        setProblem(problemOfUnknown(error));
      },
    );
    return () => {
      isLeft = true;
    };
  }, [id, names]);
  const asked = useRef(new Set<string>());
  useEffect(() => {
    for (const column of wanted) {
      if (asked.current.has(column.name)) continue;
      asked.current.add(column.name);
      readMapColumn({ id }, column).then(
        (found) => setValues((before) => new Map(before).set(column.name, found)),
        (error: unknown) => setProblem(problemOfUnknown(error)),
      );
    }
  }, [id, wanted]);
  const [neighborsOf, setNeighborsOf] = useState<NeighborsOf | null>(null);
  const wantsNeighbors = isPicked && detail !== null && detail !== undefined;
  useEffect(() => {
    if (!wantsNeighbors) return;
    readMapNeighbors({ id }).then(
      (found) => setNeighborsOf(() => found),
      (error: unknown) => setProblem(problemOfUnknown(error)),
    );
  }, [id, wantsNeighbors]);
  return { detail, values, neighborsOf, problem };
}
