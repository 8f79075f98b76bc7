import { gzipSync } from "node:zlib";
import { type FileCase, lines, pairs, path } from "./case.ts";

const edges = lines("src,dst", ...pairs(","));
const nodes = lines("id,label,x,y", "1,a,0.5,1.5", "2,b,1,2", "3,a,2,3", "4,b,3,4");
const read = { ...path, classes: ["a", "b"], features: 2 } as const;

export interface TarMember {
  readonly name: string;
  readonly content?: string | Uint8Array;
  /** `0`, which a file has, when left out */
  readonly type?: string;
  readonly link?: string;
  /** In place of the length of the content */
  readonly size?: string;
}

/** One member of a tar archive with its header, as ustar has it. */
export function tarMember({ name, content = "", type = "0", link = "", size }: TarMember): Buffer {
  const bytes = Buffer.from(content);
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write("0000644", 100);
  header.write("0000000", 108);
  header.write("0000000", 116);
  header.write(size ?? `${bytes.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write("        ", 148);
  header.write(type, 156);
  header.write(link, 157, 100);
  header.write("ustar\u000000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}

const end = Buffer.alloc(1024);
const tarred = (...members: readonly TarMember[]) => Buffer.concat([...members.map(tarMember), end]);
const record = (name: string, value: string) => {
  const rest = ` ${name}=${value}\n`;
  const digits = String(Buffer.byteLength(rest) + 2).length;
  return `${Buffer.byteLength(rest) + digits}${rest}`;
};

const both = [
  { name: "edges.csv", content: edges },
  { name: "nodes.csv", content: nodes },
] as const;
const plain = tarred(...both);
const packed = gzipSync(plain);

function refusal(title: string, content: Uint8Array, warning: RegExp): FileCase {
  return { title, files: { "graph.tar": content }, graph: null, warns: [warning] };
}

/** A byte of the archive replaced */
function withByte(at: number, byte: number): Uint8Array {
  const bytes = Buffer.from(plain);
  bytes[at] = byte;
  return bytes;
}

/** Made by bzip2: `edges.csv`, and a tar archive of KONECT's with a README, a list of facts and `out.g`. */
const bzipped = Buffer.from(
  "QlpoOTFBWSZTWZVU05sAAAjZgAAQAAQ8AAwAHAAgACKfqnpPSbUIBppoldbSt2AYRTnxdyRThQkJVU05sA==",
  "base64",
);
const bzippedTar = Buffer.from(
  "QlpoOTFBWSZTWY2WWkkAAMffg8qQQgX/kCaCEWBu596gAACAAgwIMAC60I1Cn5U000PU9RhHpGjRkD1GjahXqj1AACYEehGZBMEY" +
    "GSoyZoJgJgjExDTCaZHctn8EKMBACUWBIIdiTEwlQMSo3TwKiQQgA17pHWrnoNuYajnTKqkujj7MlxOHG728cBQGqADgogAhCVgA" +
    "sDniscV9kYiUKkKhcEVVUDobdBTm8XUITCZN0xCqX0sLJNq4PrS2yzRA8ES8Rxj9vbh+i6p8UZSZFJUjFBamUiaJlEb3pWCBF/F3" +
    "JFOFCQjZZaSQ",
  "base64",
);

/** Tar archives, plain and packed. */
export const tarFileCases: readonly FileCase[] = [
  { title: "nodes and edges in a tar archive", files: { "graph.tar": plain }, graph: read },
  { title: "packed with gzip", files: { "graph.tar.gz": packed }, graph: read },
  {
    title: "by the short name, edges beside it",
    files: { "n.tgz": gzipSync(tarred(both[1])), "edges.csv": edges },
    graph: read,
  },
  {
    title: "a folder, and what macOS adds to it",
    files: {
      "g.tgz": gzipSync(
        tarred(
          { name: "./", type: "5" },
          { name: "./g/", type: "5" },
          { name: "./g/._edges.csv", content: "\0\x05\x16\x07" },
          { name: "./g/edges.csv", content: edges },
          { name: "./g/.DS_Store", content: "\0\0\0\x01Bud1" },
          { name: "./g/nodes.csv", content: nodes },
        ),
      ),
    },
    graph: read,
  },
  {
    title: "names in extended headers, as POSIX and GNU have them, and a comment of git's",
    files: {
      "g.tar": tarred(
        { name: "pax_global_header", type: "g", content: record("comment", "a".repeat(40)) },
        {
          name: "PaxHeader/e",
          type: "x",
          content: record("mtime", "1.5") + record("path", `рёбра/${"e".repeat(120)}.csv`),
        },
        { name: "short", content: edges },
        { name: "././@LongLink", type: "L", content: `${"n".repeat(110)}/nodes.csv\0` },
        { name: "n".repeat(99), content: nodes },
      ),
    },
    graph: read,
  },
  { title: "the oldest form, without a magic word", files: { "g.tar": oldest() }, graph: read },
  {
    title: "KONECT as it is published",
    files: {
      "download.tsv.g.tar.gz": gzipSync(
        tarred(
          { name: "g/", type: "5" },
          { name: "g/README.g", content: "Dear reader,\n\nplease cite us.\n" },
          { name: "g/meta.g", content: lines("name: G", "code: G", "category: Social") },
          { name: "g/out.g", content: lines("% sym unweighted", "% 3 4 4", "1 2", "2 3", "3 4") },
        ),
      ),
    },
    graph: { ...path, directed: false },
    warns: [/README\.g/, /meta\.g/],
  },
  {
    title: "LINQS' Cora as it is published: a table of words and one of citations",
    files: {
      "cora.tgz": gzipSync(
        tarred(
          { name: "cora/", type: "5" },
          { name: "cora/README", content: "This directory contains the papers,\nand who cites whom among them.\n" },
          { name: "cora/cora.cites", content: lines("35\t1033", "35\t103482", "1033\t103482") },
          {
            name: "cora/cora.content",
            content: lines(
              "35\t0\t1\t0\tTheory",
              "1033\t1\t0\t0\tTheory",
              "103482\t1\t0\t1\tNeural",
              "7\t1\t1\t1\tNeural",
            ),
          },
        ),
      ),
    },
    graph: { nodes: 4, edges: 3, ids: ["35", "103482", "7"], classes: ["Neural", "Theory"], features: 3 },
    warns: [/cora\.content: its columns have no names/],
  },
  {
    title: "KONECT packed with bzip2",
    files: { "download.tsv.g.tar.bz2": bzippedTar },
    graph: { ...path, directed: false },
    warns: [/README\.g/, /meta\.g/],
  },
  { title: "a file packed with bzip2", files: { "edges.csv.bz2": bzipped, "nodes.csv": nodes }, graph: read },
  refusal(
    "bzip2 that is cut off",
    bzippedTar.subarray(0, 150),
    /graph\.tar cannot be unpacked.*its bzip2 data are cut off/,
  ),
  refusal(
    "bzip2 in an archive",
    tarred({ name: "edges.csv.bz2", content: bzipped }),
    /edges\.csv\.bz2 is packed with bzip2 in an archive: unpack it first/,
  ),
  refusal("an archive without files", tarred({ name: "g/", type: "5" }), /graph\.tar holds no files/),
  refusal("cut off in a file", plain.subarray(0, 520), /graph\.tar cannot be unpacked.*it ends within edges\.csv/),
  refusal("cut off between files", plain.subarray(0, 1024), /it ends behind edges\.csv, without its closing blocks/),
  refusal("cut off in a header", plain.subarray(0, 1100), /it ends behind edges\.csv, without its closing blocks/),
  refusal(
    "packed and cut off",
    packed.subarray(0, packed.length - 20),
    /graph\.tar cannot be unpacked.*cut off or damaged/,
  ),
  refusal(
    "a damaged header",
    withByte(1030, 0x7a),
    /the header behind edges\.csv, at byte 1024, does not have its checksum/,
  ),
  refusal("two archives joined by cat", Buffer.concat([plain, tarred(both[0])]), /more follows behind its end/),
  refusal(
    "a size that is no number",
    tarred({ name: "e.csv", size: "99999999999\0" }),
    /the size of the member at byte 0/,
  ),
  refusal("more than there is", tarred({ name: "e.csv", size: "77777777777\0" }), /it ends within e\.csv/),
  refusal(
    "a link",
    tarred({ name: "e.csv", type: "2", link: "/etc/passwd" }),
    /e\.csv is a link to \/etc\/passwd.*--dereference/,
  ),
  refusal(
    "a second name of a file",
    tarred(both[0], { name: "n.csv", type: "1", link: "edges.csv" }),
    /n\.csv is a link to edges\.csv/,
  ),
  refusal("a device", tarred({ name: "zero", type: "3" }), /zero is a device; expected files alone/),
  refusal("a pipe", tarred({ name: "p", type: "6" }), /p is a pipe/),
  refusal(
    "a file with holes, as GNU stored them first",
    tarred({ name: "e.csv", type: "S" }),
    /e\.csv is a file with holes.*without --sparse/,
  ),
  refusal(
    "a file with holes, as POSIX has them",
    tarred({ name: "x", type: "x", content: record("GNU.sparse.major", "1") }, { name: "e.csv", content: edges }),
    /e\.csv is a file with holes/,
  ),
  refusal(
    "a size for all members",
    tarred({ name: "g", type: "g", content: record("size", "3") }, { name: "e.csv", content: edges }),
    /a path or a size that is to count for all/,
  ),
  refusal(
    "an extended header that is no list",
    tarred({ name: "x", type: "x", content: "99 path=a\n" }, { name: "e.csv", content: edges }),
    /the extended header at byte 512 is no list/,
  ),
  refusal(
    "a type of GNU's for several volumes",
    tarred({ name: "e.csv", type: "M", content: edges }),
    /whose beginning is in another archive/,
  ),
  refusal(
    "a type that nobody knows",
    tarred({ name: "e.csv", type: "Q", content: edges }),
    /of a type that is not known \("Q"\)/,
  ),
  refusal(
    "a path that leads out of the archive",
    tarred({ name: "a/../../e.csv", content: edges }),
    /invalid relative path: a\/\.\.\/\.\.\/e\.csv/,
  ),
  refusal(
    "such a path in an extended header",
    tarred({ name: "x", type: "x", content: record("path", "../e.csv") }, { name: "e.csv", content: edges }),
    /invalid relative path: \.\.\/e\.csv/,
  ),
  refusal(
    "a path from the root",
    tarred({ name: "/etc/edges.csv", content: edges }),
    /absolute path: \/etc\/edges\.csv/,
  ),
  refusal(
    "two members of one name",
    tarred(both[0], { name: "./edges.csv", content: edges }),
    /it has two members called edges\.csv/,
  ),
  refusal("a name with a line break", tarred({ name: "a\nb.csv", content: edges }), /none of them a control character/),
  refusal(
    "more members than are read",
    tarred(...Array.from({ length: 257 }, (_, i) => ({ name: `${i}.csv`, content: edges }))),
    /it has more than 256 members/,
  ),
  refusal(
    "an archive in an archive",
    tarred({ name: "inner.tar.gz", content: packed }),
    /graph\.tar\/inner\.tar\.gz is a tar archive in an archive: unpack it first/,
  ),
];

function oldest(): Buffer {
  const members = both.map((one) => {
    const member = tarMember(one);
    member.fill(0, 257, 512);
    member.write("        ", 148);
    member[156] = 0;
    const sum = member.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    member.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return member;
  });
  return Buffer.concat([...members, end]);
}
