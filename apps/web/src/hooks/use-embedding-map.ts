import { useCallback, useEffect, useState } from "react";
import { type EmbeddingMapData, type MapArtifact, readEmbeddingMap } from "../services/embedding-map.ts";
import { problemOfUnknown, type ShownProblem } from "../services/problem.ts";

export interface EmbeddingMapState {
  /** Null while it is fetched. */
  readonly map: EmbeddingMapData | null;
  readonly problem: ShownProblem | null;
  readonly retry: () => void;
}

interface Fetched extends Pick<EmbeddingMapState, "map" | "problem"> {
  /** Tells what was fetched: another artifact, or another attempt, has another. */
  readonly key: string;
}

/** The points of a map, fetched once for an artifact: what it holds never changes. */
export function useEmbeddingMap(artifact: MapArtifact): EmbeddingMapState {
  const { id } = artifact;
  const names = artifact.blobs.map(({ name }) => name).join("\n");
  const [attempt, setAttempt] = useState(0);
  const key = `${id} ${names} ${attempt}`;
  const [fetched, setFetched] = useState<Fetched | null>(null);
  useEffect(() => {
    let isLeft = false;
    const show = (next: Omit<Fetched, "key">) => {
      if (!isLeft) setFetched({ key, ...next });
    };
    readEmbeddingMap({ id, blobs: names.split("\n").map((name) => ({ name })) }).then(
      (map) => show({ map, problem: null }),
      (error: unknown) => show({ map: null, problem: problemOfUnknown(error) }),
    );
    return () => {
      isLeft = true;
    };
  }, [id, names, key]);
  const { map, problem } = fetched?.key === key ? fetched : { map: null, problem: null };
  return { map, problem, retry: useCallback(() => setAttempt((before) => before + 1), []) };
}
