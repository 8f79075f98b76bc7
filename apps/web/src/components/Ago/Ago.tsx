import { useNow } from "../../hooks/use-now.ts";
import { formatAgo, formatDateTime } from "../../services/format.ts";

/** How long ago something was, and on hover when exactly. */
export function Ago({ at }: { readonly at: string }) {
  const now = useNow(true, 30_000);
  return (
    <time dateTime={at} title={formatDateTime(at)} style={{ whiteSpace: "nowrap" }}>
      {formatAgo(at, now)}
    </time>
  );
}
