import { type UIEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { LogLook } from "./LogControls.tsx";

const lineHeight = 18;

interface Scrolling {
  readonly shown: readonly { readonly cursor: string | number }[];
  readonly look: LogLook;
  readonly setLook: (change: (look: LogLook) => LogLook) => void;
  readonly onEarlier?: (() => Promise<unknown>) | undefined;
}

/** Keeps the end in sight while it is followed, and lines that are being read where they are. */
export function useLogScrolling({ shown, look, setLook, onEarlier }: Scrolling) {
  const boxRef = useRef<HTMLDivElement>(null);
  const first = shown.at(0)?.cursor;
  const last = shown.at(-1)?.cursor;
  const setFollow = (follows: boolean) => setLook((old) => (old.follows === follows ? old : { ...old, follows }));
  useEffect(() => {
    if (look.follows && boxRef.current && last !== undefined) boxRef.current.scrollTop = boxRef.current.scrollHeight;
  }, [look.follows, last]);

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
  return { boxRef, isLoading, showEarlier, onScroll };
}
