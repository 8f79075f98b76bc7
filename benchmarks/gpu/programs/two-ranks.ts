/**
 * Two ranks, processes of their own, on one device: their losses are one rank's, their weights equal bit by bit. A
 * service gives each rank a device of its own; here is one, so they share it.
 */
import { rounded, tell } from "./arguments.ts";
import { isRankProcess, trained } from "./rank-processes.ts";

if (!(await isRankProcess())) {
  const [one] = await trained(1);
  const [first, second] = await trained(2);
  const apart = first?.losses.map((loss, i) => Math.abs(loss / (one?.losses[i] as number) - 1)) ?? [];
  const isEqual = JSON.stringify(first?.weights) === JSON.stringify(second?.weights);
  tell({
    epochs: apart.length,
    largestDifference: rounded(Math.max(...apart)),
    areWeightsEqual: isEqual,
    reducedBy: first?.reducedBy,
  });
  process.exitCode = isEqual && apart.length > 0 && Math.max(...apart) < 1e-5 ? 0 : 1;
}
