import { createTheme, type MantineColorsTuple } from "@mantine/core";

/** Deep green, the house colour: ten shades from wash to ink. */
const hop: MantineColorsTuple = [
  "#eaf7f3",
  "#d5ece5",
  "#a8d8ca",
  "#78c3ad",
  "#51b295",
  "#39a786",
  "#27957a",
  "#17806a",
  "#12695a",
  "#084c41",
];

export const theme = createTheme({
  primaryColor: "hop",
  primaryShade: { light: 8, dark: 6 },
  colors: { hop },
  defaultRadius: "md",
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: {
    fontWeight: "650",
    sizes: { h1: { fontSize: "1.6rem" }, h2: { fontSize: "1.1rem" }, h3: { fontSize: "1rem" } },
  },
  autoContrast: true,
  cursorType: "pointer",
});

/** Colours of lines and classes, told apart in both colour schemes and by most colour-blind readers. */
export const palette = [
  "#17806a",
  "#d9822b",
  "#4263eb",
  "#c2255c",
  "#7048e8",
  "#5c940d",
  "#0c8599",
  "#a1662f",
  "#868e96",
  "#e8590c",
] as const;

export function paletteColor(index: number): string {
  return palette[((index % palette.length) + palette.length) % palette.length] ?? palette[0];
}
