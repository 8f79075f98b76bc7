import { sendByFetch } from "./send-by-fetch.ts";
import { browserXhr, sendByXhr } from "./send-by-xhr.ts";
import type { Upload } from "./upload-file.ts";

/** Sends files in one request, by what here can say how far it is. */
export async function sendFiles(upload: Upload): Promise<Response> {
  const Xhr = browserXhr();
  return Xhr === null ? sendByFetch(upload) : sendByXhr(Xhr, upload);
}
