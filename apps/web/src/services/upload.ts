import { ProblemError, unreachable } from "./problem.ts";
import { parseJson, problemOfAnswer } from "./rest.ts";

export interface UploadOptions {
  readonly onProgress: (sentBytes: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Sends one file to the dataset, in the place of one of the same name; the preview is asked for when all have arrived. XMLHttpRequest, because fetch cannot report what it has sent.
 * @throws ProblemError what the API said; code ABORTED when the signal ended it
 */
export function uploadFile(datasetId: string, file: File, options: UploadOptions): Promise<unknown> {
  const form = new FormData();
  form.append("file", file, file.name);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/v1/datasets/${encodeURIComponent(datasetId)}/files?preview=false&replace=true`);
    request.upload.addEventListener("progress", (event) => options.onProgress(Math.min(event.loaded, file.size)));
    request.addEventListener("load", () => {
      const body = parseJson(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(body);
      else reject(new ProblemError(problemOfAnswer(request.status, body)));
    });
    request.addEventListener("error", () => reject(new ProblemError(unreachable)));
    request.addEventListener("abort", () =>
      reject(new ProblemError({ code: "ABORTED", title: "Upload stopped", detail: "The upload was stopped by you." })),
    );
    options.signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(form);
  });
}
