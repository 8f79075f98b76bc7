import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MantineTheme } from "@mantine/core";
import { expect, test } from "vitest";
import { cssVariablesResolver, palette } from "../src/theme.ts";

const styles = readFileSync(join(import.meta.dirname, "../src/styles.css"), "utf8");

/** A colour of styles.css in one scheme. */
function colorOf(name: string, scheme: "light" | "dark"): string {
  const found = new RegExp(`--hop-${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(styles);
  return found?.[scheme === "light" ? 1 : 2] ?? "";
}

/** Shares of linear light */
function linear(color: string): number[] {
  return [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
}

/** Relative luminance, WCAG 2.2 */
function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = linear(color);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

test("black on white has the contrast that the standard says", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrast("#868e96", "#ffffff")).toBeCloseTo(3.3, 1);
});

test("quiet text can be read on pages, panels and washes of the house colour, by day and by night", () => {
  const { light, dark } = cssVariablesResolver({} as MantineTheme);
  for (const variable of ["--mantine-color-dimmed", "--mantine-color-placeholder"] as const) {
    const washes = { light: ["#d5ece5", "#f1f3f5"], dark: ["#084c41", "#2e2e2e"] };
    for (const [scheme, colors] of [["light", light] as const, ["dark", dark] as const]) {
      for (const ground of [colorOf("page", scheme), colorOf("surface", scheme), ...washes[scheme]]) {
        expect(contrast(colors[variable] ?? "", ground), `${variable} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  }
});

/** CIELAB of linear sRGB under D65 */
function labOf(rgb: readonly number[]): number[] {
  const [r = 0, g = 0, b = 0] = rgb.map((share) => Math.min(1, Math.max(0, share)));
  const [x = 0, y = 0, z = 0] = [
    (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047,
    0.2126729 * r + 0.7151522 * g + 0.072175 * b,
    (0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883,
  ].map((t) => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** Machado, Oliveira and Fernandes 2009, table 1, severity 1.0: how eyes without a kind of cones see linear sRGB. */
const eyes: Readonly<Record<string, readonly (readonly number[])[]>> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function difference(one: string, other: string, matrix: readonly (readonly number[])[]): number {
  const seen = (color: string) =>
    labOf(matrix.map((row) => row.reduce((sum, weight, i) => sum + weight * (linear(color)[i] ?? 0), 0)));
  const [a, b] = [seen(one), seen(other)];
  return Math.hypot(...a.map((value, i) => value - (b[i] ?? 0)));
}

test("any two colours of the palette are told apart, without red, green or blue cones too", () => {
  expect(difference("#ffffff", "#000000", eyes["all"] ?? [])).toBeCloseTo(100, 1);
  // Okabe and Ito chose these two for deuteranopes; red and green of equal lightness are one to them.
  expect(difference("#0072b2", "#e69f00", eyes["deutan"] ?? [])).toBeGreaterThan(60);
  expect(difference("#c9a800", "#e8890c", eyes["deutan"] ?? [])).toBeLessThan(5);
  for (const [kind, matrix] of Object.entries(eyes)) {
    for (const [i, one] of palette.entries()) {
      for (const other of palette.slice(0, i)) {
        expect(difference(one, other, matrix), `${one} and ${other}, ${kind}`).toBeGreaterThanOrEqual(17);
      }
    }
  }
});

test("colours of the palette stand out from the ground of both colour schemes", () => {
  for (const color of palette) {
    for (const scheme of ["light", "dark"] as const) {
      expect(contrast(color, colorOf("surface", scheme)), `${color}, ${scheme}`).toBeGreaterThanOrEqual(2.5);
    }
  }
});
