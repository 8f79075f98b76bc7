import { frequencyBaseline } from "./baselines.ts";
import { commonNeighborsBaseline } from "./common-neighbors.ts";
import type { LoadedData } from "./load-data.ts";
import type { Untaught } from "./report.ts";
import { commonNeighbors, frequency, type Row } from "./row.ts";

/** What a row is compared with that nothing is learnt for; null: other rows alone, or nothing. */
export async function untaughtOf(row: Row, loaded: LoadedData): Promise<Untaught | null> {
  const { aim, data } = row;
  if (!aim || !("baselines" in aim)) return null;
  if (aim.baselines.includes(frequency)) {
    return { name: frequency, share: frequencyBaseline(await loaded.of(row, 0)) };
  }
  if (aim.baselines.includes(commonNeighbors) && typeof data === "object") {
    return { name: commonNeighbors, share: await commonNeighborsBaseline(await loaded.tables.inputs(data, row, 0)) };
  }
  return null;
}
