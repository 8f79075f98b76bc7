import { expect, test } from "vitest";
import { Multipart } from "../../src/upload/multipart.ts";

test("the body is the one that fetch makes of a form, read back by fetch's own parser", async () => {
  const files = [new File(["src,dst\n1,2\n"], 'edges "1"\n.csv'), new File([], "empty"), new File(["📄"], "größe.csv")];
  const multipart = new Multipart(files, "a-boundary");
  const counted: number[] = [];
  const chunks: Uint8Array[] = [];
  for await (const chunk of multipart.chunks((bytes) => counted.push(bytes))) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  expect(body.byteLength).toBe(multipart.bytes);
  expect(counted.reduce((sum, bytes) => sum + bytes, 0)).toBe(files.reduce((sum, { size }) => sum + size, 0));

  const form = await new Response(body, { headers: { "content-type": multipart.contentType } }).formData();
  const read = form.getAll("file") as File[];
  expect(read.map(({ name }) => name)).toEqual(['edges "1"\n.csv', "empty", "größe.csv"]);
  expect(await Promise.all(read.map((file) => file.text()))).toEqual(["src,dst\n1,2\n", "", "📄"]);
});
