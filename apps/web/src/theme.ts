import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

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

/** One font on every machine, in the weights between regular and bold; what it lacks the system's has. */
const fontFamily = 'Geist, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", sans-serif';

/** Text of charts, which are drawn and not laid out */
export const chartFont = `11px ${fontFamily}`;

export const theme = createTheme({
  primaryColor: "hop",
  primaryShade: { light: 8, dark: 7 },
  colors: { hop },
  defaultRadius: "md",
  fontFamily,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: {
    fontWeight: "650",
    sizes: { h1: { fontSize: "1.6rem" }, h2: { fontSize: "1.1rem" }, h3: { fontSize: "1rem" } },
  },
  autoContrast: true,
  respectReducedMotion: true,
  cursorType: "pointer",
  // Plain objects: the components' own extend() would bring their code, and that of what they float on, to every page.
  components: {
    // Help stands below its field, so that fields of one row line up.
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ["label", "input", "error", "description"] },
    },
    // A list scrolls to its chosen option as it opens, perhaps before it has a place: then it is at the top of the
    // page, or with "fixed" of the window, where nothing but the list itself has to scroll.
    Combobox: { defaultProps: { floatingStrategy: "fixed" } },
  },
});

/** Help, captions, what stands in empty fields. Mantine's greys have 3.3 : 1 on white; these 4.5 : 1 or more. */
const quietText = { light: "#5a646d", dark: "#a9b1b7" } as const;

/** Headings of notes on their own wash of yellow or orange: Mantine's have 2.7 : 1 and 4 : 1, these more than 5 : 1. */
const warningText = { yellow: "#7a4a00", orange: "#963608" } as const;

/** What of Mantine's colours is set otherwise, in each colour scheme. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": quietText.light,
    "--mantine-color-placeholder": quietText.light,
    "--mantine-color-yellow-light-color": warningText.yellow,
    "--mantine-color-orange-light-color": warningText.orange,
  },
  dark: { "--mantine-color-dimmed": quietText.dark, "--mantine-color-placeholder": quietText.dark },
});

/**
 * Colours of lines and classes. Any two differ by 17 or more in CIELAB as everybody sees them, without red, green or
 * blue cones too; contrast with the ground is 2.5 : 1 or more in both colour schemes (decision 0064).
 */
export const palette = [
  "#17806a",
  "#e1785a",
  "#005aff",
  "#c3004b",
  "#694bc3",
  "#3cb400",
  "#875a0f",
  "#69a5f0",
  "#e187b4",
  "#874b96",
] as const;

export function paletteColor(index: number): string {
  return palette[((index % palette.length) + palette.length) % palette.length] ?? palette[0];
}
