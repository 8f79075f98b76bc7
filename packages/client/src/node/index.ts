export { type DownloadedFile, type DownloadOptions, download } from "./download.ts";
export { openFile, openFileWithDigest } from "./open-file.ts";
