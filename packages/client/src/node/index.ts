export { type DownloadedFile, type DownloadOptions, download } from "./download.ts";
export { openFile, openFileWithDigest, type Reading } from "./open-file.ts";
