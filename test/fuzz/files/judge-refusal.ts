import type { PreviewInfo } from "../../../packages/gnn-core/src/io/preview/preview-info.ts";
import { isKnown } from "../judge.ts";
import type { Outcome } from "../target.ts";
import type { StepEnd } from "./step-process.ts";

/** How engines and libraries speak to programmers: what a user is told in these words explains nothing to him. */
const rawWords =
  /\b(undefined|ENOENT|EISDIR|EINVAL|Cannot read propert|is not a function|is not iterable|Invalid (array|typed array|string|BigInt)|out of bounds|out of range|Maximum call stack|Cannot convert|object Object|BigInt|RangeError|TypeError|INTERNAL Error|Assertion|stack trace|\.cc?:\d+|\.ts:\d+)/i;

/** Whether a step's end is one that damaged files may get: they are read, or refused by an error that says where. */
export function judgeRefusal({ code, detail, place, trouble }: StepEnd, names: readonly string[]): Outcome {
  if (trouble !== null) return { kind: "trouble", fault: trouble };
  if (code === null) return { kind: "read", fault: null };
  if (!isKnown(code)) return { kind: code, fault: `an unknown code, ${code}` };
  const file = place?.file;
  const isNamed = names.some((name) => file === name || file?.startsWith(`${name}/`) || detail.includes(name));
  const hasPlace = isNamed || place?.pointer !== undefined || place?.field !== undefined;
  if (!hasPlace) return { kind: code, fault: `${code} without a place: ${detail}` };
  return { kind: code, fault: faultOfWords(detail) };
}

/** Whether a preview says of each file that it cannot read, and of files that make no graph, why that is so. */
export function judgePreview({ files, proposed, warnings }: PreviewInfo): Outcome {
  for (const { name, problem } of files) {
    if (problem === null) continue;
    if (!isKnown(problem.code)) return { kind: "unreadable", fault: `${name}: an unknown code, ${problem.code}` };
    const words = faultOfWords(problem.detail);
    if (words !== null) return { kind: "unreadable", fault: words };
  }
  for (const warning of warnings) {
    const words = faultOfWords(warning);
    if (words !== null) return { kind: "warned", fault: words };
  }
  if (proposed !== null) return { kind: "proposed", fault: null };
  const isTold = warnings.length > 0 || files.some(({ problem }) => problem !== null);
  return { kind: "not proposed", fault: isTold ? null : "nothing is proposed, and nothing says why" };
}

function faultOfWords(detail: string): string | null {
  // What stands in quotes is the file's own.
  const raw = rawWords.exec(detail.replaceAll(/"[^"]*"|“[^”]*”|«[^»]*»/g, "…"))?.[0];
  return raw === undefined ? null : `words for programmers ("${raw}"): ${detail.slice(0, 400)}`;
}
