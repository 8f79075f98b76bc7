import { Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import classes from "./Fold.module.css";

interface FoldProps {
  readonly title: string;
  /** What is inside, in a few words, while it is folded */
  readonly summary?: ReactNode;
  /** Opens it whatever was chosen before, as for a search that found something inside */
  readonly isForcedOpen?: boolean;
  readonly isHidden?: boolean;
  readonly isLarge?: boolean;
  readonly children: ReactNode;
}

/** A part of the form that is folded until somebody wants it; what is inside stays there, so that errors find it. */
export function Fold({ title, summary, isForcedOpen = false, isHidden = false, isLarge = false, children }: FoldProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className={classes.fold}
      data-large={isLarge || undefined}
      open={isOpen || isForcedOpen}
      hidden={isHidden}
      onToggle={(event) => {
        // Toggles of folds inside bubble in React, and those of a search are nobody's choice.
        if (event.target === event.currentTarget && !isForcedOpen) setIsOpen(event.currentTarget.open);
      }}
    >
      <summary className={classes.summary}>
        <span className={classes.title}>{title}</span>
        <Text span size="sm" c="dimmed" className={classes.inside}>
          {summary}
        </Text>
      </summary>
      <div className={classes.content}>{children}</div>
    </details>
  );
}
