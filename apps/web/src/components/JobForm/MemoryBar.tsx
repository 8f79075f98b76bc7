import { type EstimateLine, memoryShares } from "../../services/estimate-parts.ts";
import { formatBytes } from "../../services/format.ts";
import classes from "./MemoryBar.module.css";

/** What the memory of a rank is made of, as one bar; each part has its name and its figure below. */
export function MemoryBar({ explanation }: { readonly explanation: readonly EstimateLine[] }) {
  const shares = memoryShares(explanation);
  if (shares.length === 0) return null;
  return (
    <div>
      <div className={classes.bar} aria-hidden="true">
        {shares.map(({ what, share, color }) => (
          <span key={what} style={{ flexGrow: share, background: color }} title={what} />
        ))}
      </div>
      <ul className={classes.legend} aria-label="Memory by part">
        {shares.map(({ what, bytes, color }) => (
          <li key={what}>
            <i style={{ background: color }} aria-hidden="true" />
            <span>{what}</span>
            <span className="num">{formatBytes(bytes)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
