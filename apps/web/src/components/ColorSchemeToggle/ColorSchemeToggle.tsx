import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";

/** Switches between light and dark; until it is used, the system decides. */
export function ColorSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const next = useComputedColorScheme("light") === "dark" ? "light" : "dark";
  return (
    <ActionIcon variant="default" size="lg" onClick={() => setColorScheme(next)} aria-label={`Use ${next} colours`}>
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r="6.500" fill="none" stroke="currentColor" strokeWidth="1.500" />
        <path d="M8 1.500a6.500 6.500 0 0 1 0 13z" fill="currentColor" />
      </svg>
    </ActionIcon>
  );
}
