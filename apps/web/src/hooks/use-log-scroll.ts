import { type RefObject, type UIEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { LogLine } from "../services/log-filter.ts";

const lineHeight = 18;

export interface LogScroll {
  readonly boxRef: RefObject<HTMLDivElement | null>;
  /** Whether the newest line is kept in sight. */
  readonly follow: boolean;
  readonly setFollow: (follow: boolean) => void;
  readonly onScroll: (event: UIEvent<HTMLDivElement>) => void;
  readonly isLoading: boolean;
  readonly showEarlier: () => Promise<void>;
}

/** Keeps a box of lines at its end until the reader scrolls up, and in its place when earlier lines come in above. */
export function useLogScroll(shown: readonly LogLine[], onEarlier?: () => Promise<unknown>): LogScroll {
  const boxRef = useRef<HTMLDivElement>(null);
  const [follow, setFollow] = useState(true);
  const first = shown.at(0)?.cursor;
  const last = shown.at(-1)?.cursor;
  useEffect(() => {
    if (follow && boxRef.current && last !== undefined) boxRef.current.scrollTop = boxRef.current.scrollHeight;
  }, [follow, last]);

  // Lines that come in above must not move those that are being read.
  const heightBefore = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (heightBefore.current !== null && boxRef.current && first !== undefined) {
      boxRef.current.scrollTop += boxRef.current.scrollHeight - heightBefore.current;
    }
    heightBefore.current = null;
  }, [first]);
  const [isLoading, setLoading] = useState(false);
  const showEarlier = async () => {
    setFollow(false);
    setLoading(true);
    heightBefore.current = boxRef.current?.scrollHeight ?? null;
    await onEarlier?.();
    setLoading(false);
  };

  const onScroll = ({ currentTarget: box }: UIEvent<HTMLDivElement>) => {
    setFollow(box.scrollHeight - box.scrollTop - box.clientHeight < 2 * lineHeight);
  };
  return { boxRef, follow, setFollow, onScroll, isLoading, showEarlier };
}
