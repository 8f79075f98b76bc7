import { errorCodes } from "@hopwise/contracts";

/** docs/errors.md: every code that REST, GraphQL or a job may answer with. */
export function errorsPage(): string {
  const rows = Object.entries(errorCodes)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { status, title, retryable }]) => [`\`${code}\``, String(status), title, retryable ? "yes" : "no"]);
  return `# Error codes

REST answers with \`application/problem+json\` (RFC 9457) of this shape; GraphQL carries the same fields in
\`errors[].extensions\`; a failed job or stage in its \`problem\`. \`pointer\` is a JSON pointer into what was sent,
\`file\`, \`line\` and \`field\` a place in the data. "Retry" says whether the same request can succeed later by itself.

Written by \`script/print-errors\` from the one table in \`packages/contracts/src/errors/codes.ts\`.

${tableOf([["code", "status", "meaning", "retry"], ...rows])}
`;
}

/** A Markdown table with its columns aligned, as the formatter leaves it. */
function tableOf([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
