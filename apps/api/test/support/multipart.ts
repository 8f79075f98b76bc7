const boundary = "----hopwise-test-boundary";

/** A multipart body with file names exactly as given: clients would clean them. */
export function multipartOf(files: readonly { name: string; content: string }[]): Buffer {
  const parts = files.map(
    ({ name, content }) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name.replaceAll("\\", "\\\\")}"\r\ncontent-type: text/csv\r\n\r\n${content}\r\n`,
  );
  return Buffer.from(`${parts.join("")}--${boundary}--\r\n`);
}
multipartOf.headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
