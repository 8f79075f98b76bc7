export { type DownloadedFile, type DownloadOptions, download } from "./download.ts";
export { openFile } from "./open-file.ts";
