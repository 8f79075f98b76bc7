import { api } from "./api.ts";
import { saveFile } from "./download.ts";
import { formatFields } from "./format.ts";

const pageLines = 200;
/** Half a million lines: more than this no browser should hold for one file. */
const mostPages = 2500;

/** Hands the whole log of a job to the browser as a text file, a line each. */
export async function saveWholeLog(
  jobId: string,
  stageName: (index: number | null | undefined) => string,
): Promise<void> {
  const parts: string[] = [];
  let after: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const query = { first: pageLines, ...(after !== undefined && { after }) };
    const found = await api.call("GET /v1/jobs/:id/logs", { params: { id: jobId }, query });
    for (const { at, level, stageIndex, member, message, fields } of found.lines) {
      parts.push(
        `${at} ${level} ${stageName(stageIndex)} ${member} ${message} ${formatFields(fields)}`.trimEnd(),
        "\n",
      );
    }
    if (!found.hasNextPage || found.endCursor === null) break;
    after = found.endCursor;
  }
  saveFile(new File(parts, `${jobId}.log`, { type: "text/plain" }));
}
