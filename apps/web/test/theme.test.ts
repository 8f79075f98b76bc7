import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MantineTheme } from "@mantine/core";
import { expect, test } from "vitest";
import { cssVariablesResolver } from "../src/theme.ts";

const styles = readFileSync(join(import.meta.dirname, "../src/styles.css"), "utf8");

/** A colour of styles.css in one scheme. */
function colorOf(name: string, scheme: "light" | "dark"): string {
  const found = new RegExp(`--hop-${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(styles);
  return found?.[scheme === "light" ? 1 : 2] ?? "";
}

/** Relative luminance, WCAG 2.2 */
function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
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
