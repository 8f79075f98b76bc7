import { ProblemError, unreachable } from "./problem.ts";
import { parseJson, problemOfAnswer } from "./rest.ts";

const waitMs = 1000;
const patienceMs = 10 * 60_000;

/**
 * Asks for a file until it is made (the API answers 202 while a worker makes it), then hands it to the browser.
 * @throws ProblemError when the API refuses or the file is not there after ten minutes
 */
export async function saveWhenMade(url: string): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    const response = await fetch(url, { credentials: "same-origin", headers: { range: "bytes=0-0" } }).catch(() => {
      throw new ProblemError(unreachable);
    });
    if (response.status === 200 || response.status === 206) {
      await response.body?.cancel();
      return save(url);
    }
    const body = parseJson(await response.text());
    if (response.status !== 202) throw new ProblemError(problemOfAnswer(response.status, body));
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  throw new ProblemError({
    code: "TIMEOUT",
    title: "The file is not made yet",
    detail: "A worker has been making it for ten minutes. Look at the jobs page, and ask again later.",
  });
}

function save(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  link.click();
}

/** Hands a file that was made in the page to the browser. */
export function saveFile(file: File): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = file.name;
  link.click();
  // The download has its own hold on the file once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
