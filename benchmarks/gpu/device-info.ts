import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Place } from "./steps.ts";

export interface CheckedDevice {
  readonly name: string;
  readonly driver: string | null;
  /** Newest CUDA that the driver runs, such as 13.0 */
  readonly cuda: string | null;
}

type Line = { readonly kind: string } & Readonly<Record<string, string | number>>;

/** The first device that the driver lists; without any, the reason is the name's place. */
export function checkedDevice({ root, isEmulated }: Place): CheckedDevice {
  if (isEmulated) return { name: "emulation", driver: null, cuda: null };
  const lines = listed(join(root, "packages/gnn-core/build/hopwise-devices"));
  const driver = lines.find(({ kind }) => kind === "driver");
  const device = lines.find(({ kind }) => kind === "device");
  const cuda =
    typeof driver?.cuda === "number" ? `${Math.floor(driver.cuda / 1000)}.${(driver.cuda % 1000) / 10}` : null;
  return { name: String(device?.name ?? "unknown device"), driver: driver ? String(driver.version) : null, cuda };
}

function listed(program: string): Line[] {
  try {
    const output = execFileSync(program, ["--json"], {
      encoding: "utf8",
      timeout: 20_000,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Line);
  } catch {
    return [];
  }
}
