import { useEffect, useRef, useState } from "react";
import type { MapArtifact } from "../services/embedding-map.ts";
import { type MapDetail, readMapColumn, readMapDetail } from "../services/map-detail.ts";
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
  readonly problem: ShownProblem | null;
}

/** Fetches what a map knows beyond places and ids: once the neighbours, and each column when it is first wanted. */
export function useMapDetail(artifact: MapArtifact, wanted: readonly MapColumn[]): MapDetailState {
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
  return { detail, values, problem };
}
