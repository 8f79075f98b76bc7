import { ActionIcon } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { type ShortcutAction, ShortcutReader, takesKeys } from "../../services/shortcuts.ts";

const CommandPalette = lazy(async () => ({
  default: (await import("../CommandPalette/CommandPalette.tsx")).CommandPalette,
}));
const ShortcutSheet = lazy(async () => ({
  default: (await import("../ShortcutSheet/ShortcutSheet.tsx")).ShortcutSheet,
}));

type Dialog = "palette" | "help" | null;

/** Listens to the keyboard on every page, with a button for who has none; what it opens is loaded when asked for. */
export function Shortcuts() {
  const [shown, setShown] = useState<Dialog>(null);
  const navigate = useNavigate();
  useEffect(() => {
    const reader = new ShortcutReader();
    const act = (action: ShortcutAction) => {
      if (action.kind === "go") return void navigate({ to: action.to });
      const field = action.kind === "search" ? searchField() : null;
      if (field) return field.focus();
      setShown(action.kind === "help" ? "help" : "palette");
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target, timeStamp: at } = event;
      if (altKey || event.defaultPrevented || event.isComposing) return;
      const action = reader.read({ key, isCommand: ctrlKey || metaKey, isTyping: takesKeys(target), at });
      if (!action) return;
      event.preventDefault();
      act(action);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [navigate]);
  const close = () => setShown(null);
  return (
    <>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label="Search everything"
        title="Search everything, or Ctrl K"
        onClick={() => setShown("palette")}
      >
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentColor">
          <circle cx="7" cy="7" r="4.500" strokeWidth="1.500" />
          <path d="m10.500 10.500 3.500 3.500" strokeWidth="1.500" strokeLinecap="round" />
        </svg>
      </ActionIcon>
      <Suspense fallback={null}>
        {shown === "palette" && <CommandPalette onClose={close} />}
        {shown === "help" && <ShortcutSheet onClose={close} />}
      </Suspense>
    </>
  );
}

function searchField(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>('main input[type="search"]');
}
