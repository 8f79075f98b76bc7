import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { formatNpyHeader } from "../../packages/gnn-core/src/io/npy-header.ts";
import { type FileCase, lines, pairs, path } from "./case.ts";

const edges = lines("src,dst", ...pairs(","));
const nodes = lines("id,label,x,y", "1,a,0.5,1.5", "2,b,1,2", "3,a,2,3", "4,b,3,4");
const read = { ...path, classes: ["a", "b"], features: 2 } as const;

const bytesOf = (content: string | Uint8Array) => (typeof content === "string" ? Buffer.from(content) : content);
const zipped = (members: Readonly<Record<string, string | Uint8Array>>) =>
  zipSync(Object.fromEntries(Object.entries(members).map(([name, content]) => [name, bytesOf(content)])));
const matrix = Buffer.concat([
  formatNpyHeader("float32", [4, 3]),
  new Uint8Array(Float32Array.from({ length: 12 }, (_, i) => i).buffer),
]);

const plain = zipped({ "edges.csv": edges });
/** Offset of the only member's entry in the directory at the end. */
const directory = Buffer.from(plain).indexOf("PK\x01\x02", 0, "latin1");

/** The archive with some bytes of the entry in the directory, and of the header before the data, replaced. */
function withField(inDirectory: number, inHeader: number | null, value: number): Uint8Array {
  const bytes = Buffer.from(plain);
  bytes.writeUInt16LE(value, directory + inDirectory);
  if (inHeader !== null) bytes.writeUInt16LE(value, inHeader);
  return bytes;
}

/** Both entries of the directory with the name of the second. */
function withTwice(): Uint8Array {
  const bytes = Buffer.from(zipped({ "edges.csv": edges, "Edges.csv": edges }));
  bytes.write("edges.csv", bytes.lastIndexOf("Edges.csv"));
  return bytes;
}

function refusal(title: string, content: Uint8Array, warning: RegExp): FileCase {
  return { title, files: { "graph.zip": content }, graph: null, warns: [warning] };
}

/** Zip archives, whose files are called by their path behind the archive's name. */
export const archiveFileCases: readonly FileCase[] = [
  {
    title: "nodes and edges in one archive",
    files: { "graph.zip": zipped({ "edges.csv": edges, "nodes.csv": nodes }) },
    graph: read,
  },
  {
    title: "edges in an archive, nodes beside it",
    files: { "edges.zip": plain, "nodes.csv": nodes },
    graph: read,
  },
  {
    title: "a folder, and what operating systems add to it",
    files: {
      "graph.zip": zipped({
        "graph/edges.csv": edges,
        "graph/nodes.csv": nodes,
        "graph/.DS_Store": "\0\0\0\x01Bud1",
        "__MACOSX/graph/._edges.csv": "\0\x05\x16\x07",
        "graph/Thumbs.db": "\xd0\xcf",
      }),
    },
    graph: read,
  },
  {
    title: "packed members, and one in Windows-1252",
    files: {
      "graph.zip": zipped({
        "edges.csv.gz": gzipSync(lines("src,dst", "Zoë,José")),
        "nodes.csv": Buffer.from(lines("id,label", "Zoë,a", "José,b"), "latin1"),
      }),
    },
    graph: { nodes: 2, edges: 1, ids: ["Zoë", "José"], classes: ["a", "b"] },
    warns: [/graph\.zip\/nodes\.csv: its bytes are not UTF-8/],
  },
  {
    title: "a matrix of numpy first, in an archive that is called .zip",
    files: {
      "graph.zip": zipped({
        "features.npy": matrix,
        "edges.csv": edges,
        "nodes.csv": lines("id,label", "1,a", "2,b", "3,a", "4,b"),
      }),
    },
    graph: { ...path, classes: ["a", "b"], features: 3 },
  },
  {
    title: "a name that is not ASCII",
    files: { "граф.zip": zipped({ "рёбра.csv": edges }) },
    graph: path,
  },
  {
    title: "a file for each type of node in a folder",
    files: {
      "shop.zip": zipped({
        "shop/users.csv": lines("id,age,height", "u1,31.5,1.7", "u2,25.5,1.8"),
        "shop/films.csv": lines("id,year,length", "f1,1999.5,90.5", "f2,2004.5,120.5"),
        "shop/user_rates_film.csv": lines("user,film", "u1,f1", "u2,f1", "u2,f2"),
      }),
    },
    graph: { nodes: 4, edges: 3, ids: ["u1", "u2", "f1", "f2"], edgeTypes: ["rates", "rev_rates"] },
    warns: [/users \(shop\.zip\/shop\/users\.csv\).*users rates films/],
  },
  {
    title: "people and who knows whom, in an archive and a folder that speak of graphs and links",
    files: {
      "network graph.zip": zipped({
        "links/edges/people.csv": lines("name,age,height", "Ann,31.5,1.7", "Bob,25.5,1.8", "Cem,40.5,1.9"),
        "links/edges/knows.csv": lines("source,target", "Ann,Bob", "Bob,Cem"),
      }),
    },
    graph: { nodes: 3, edges: 2, ids: ["Ann", "Bob", "Cem"], features: 2 },
  },
  {
    title: "triples whose parts lie each in a folder of an archive",
    files: {
      "test triples.zip": zipped({
        "train/triples.txt": lines("a\tlikes\tb", "b\tlikes\tc", "c\tknows\td"),
        "valid/triples.txt": lines("a\tlikes\tc", "c\tlikes\ta"),
        "test/triples.txt": lines("b\tknows\td", "d\tknows\ta"),
      }),
    },
    graph: { nodes: 4, edges: 7, ids: ["a", "b", "c", "d"], directed: true, edgeTypes: ["knows", "likes"] },
    warns: [/test triples\.zip\/valid\/triples\.txt is read as triples/],
  },
  {
    title: "an archive with a letter to whoever unpacks it",
    files: {
      "graph.zip": zipped({
        "README.txt": "Dear reader,\n\nthese are, as you asked, the edges.\nYours\n",
        "edges.csv": edges,
      }),
    },
    graph: path,
    warns: [/graph\.zip\/README\.txt/],
  },
  refusal("an archive without files", zipped({}), /graph\.zip holds no files/),
  refusal("an archive of folders", zipped({ "graph/": "" }), /graph\.zip holds no files/),
  refusal(
    "an archive that is cut off",
    plain.subarray(0, plain.length - 5),
    /graph\.zip cannot be unpacked.*cut off or damaged/,
  ),
  refusal("an encrypted archive", withField(8, 6, 1), /edges\.csv is encrypted; pack it without a password/),
  refusal("an archive packed by bzip2", withField(10, 8, 12), /edges\.csv is packed by method 12; expected deflate/),
  refusal(
    "a wrong checksum",
    withField(16, null, 4711),
    /graph\.zip\/edges\.csv cannot be unpacked.*its checksum differs/,
  ),
  refusal(
    "a member that is longer than it says",
    withField(24, null, 3),
    /graph\.zip\/edges\.csv cannot be unpacked.*too many bytes/,
  ),
  refusal(
    "a path that leads out of the archive",
    zipped({ "../edges.csv": edges }),
    /invalid relative path: \.\.\/edges\.csv/,
  ),
  refusal("a path from the root", zipped({ "/etc/edges.csv": edges }), /absolute path: \/etc\/edges\.csv/),
  refusal("two members of one name", withTwice(), /it has two members called edges\.csv/),
  refusal(
    "an archive in an archive",
    zipped({ "inner.zip": plain }),
    /graph\.zip\/inner\.zip is a zip archive in an archive/,
  ),
];
