import { gzipSync } from "node:zlib";
import { type FileCase, lines } from "./case.ts";

/** Nothing in the file is read; a warning says what it is and what to do. */
function refusal(title: string, name: string, content: string | Uint8Array, warning: RegExp): FileCase {
  return { title, files: { [name]: content }, graph: null, warns: [warning] };
}

const magic = (bytes: readonly number[] | string, size = 64) =>
  Buffer.concat([typeof bytes === "string" ? Buffer.from(bytes, "latin1") : Buffer.from(bytes), Buffer.alloc(size, 7)]);
const asTable = /which no reader takes yet\. Write its edges as a table/;
const tar = Buffer.concat([Buffer.from("edges.csv".padEnd(257, "\0")), magic("ustar\x00", 800)]);

/** Graphs in formats that no reader takes, many of which would pass for a table of edges. */
export const foreignFileCases: readonly FileCase[] = [
  refusal("a DIMACS network of flows", "g.max", lines("p max 4 3", "n 1 s", "n 4 t", "a 1 2 8"), asTable),
  refusal("UCINET's DL", "g.dl", lines("dl n=3 format=edgelist1", "labels embedded", "data:", "a b", "b c"), asTable),
  refusal(
    "all values of a MatrixMarket matrix",
    "a.mtx",
    lines("%%MatrixMarket matrix array real general", "2 2", "0", "1", "1", "0"),
    /a\.mtx holds a MatrixMarket file of all values/,
  ),
  refusal(
    "networkx's lists of neighbours on several lines",
    "g.txt",
    lines("1 2", "2 {}", "3 {}", "2 1", "3 {}", "3 0"),
    /g\.txt holds a list of neighbours as networkx writes it.*write_edgelist/,
  ),
  refusal(
    "arrows between the ends",
    "edges.txt",
    lines("1 -> 2", "2 -> 3", "3 -> 4"),
    /arrow or dashes.*write a comma in their place/,
  ),
  refusal(
    "pairs in brackets",
    "edges.txt",
    lines("(1, 2)", "(2, 3)", "(3, 4)"),
    /each edge in brackets, as Python prints it/,
  ),
  refusal(
    "a table in Markdown",
    "edges.md",
    lines("| src | dst |", "|-----|-----|", "| 1 | 2 |", "| 2 | 3 |"),
    /edges\.md holds a table in Markdown/,
  ),
  refusal(
    "an adjacency matrix",
    "adjacency.csv",
    lines("0,1,0,0", "1,0,1,0", "0,1,0,1", "0,0,1,0"),
    /as many rows as columns, as an adjacency matrix is/,
  ),
  refusal(
    "an adjacency matrix of weights between blanks",
    "graph.txt",
    lines("0 2 0 0", "2 0 5 0", "0 5 0 1", "0 0 1 0"),
    /as many rows as columns, as an adjacency matrix is/,
  ),
  refusal(
    "an adjacency matrix with names",
    "graph.csv",
    lines(",a,b,c", "a,0,1,0", "b,1,0,1", "c,0,1,0"),
    /as many rows as columns, as an adjacency matrix is/,
  ),
  refusal(
    "PyG's edge_index in two rows",
    "edge_index.csv",
    lines("0,1,2,0,5,6,7,8,9", "1,2,3,3,6,7,8,9,0"),
    /two long rows of numbers.*save it transposed/,
  ),
  refusal("text between @@", "ratings.dat", lines("1@@1193@@5", "1@@661@@3", "2@@1193@@3"), /ratings\.dat holds text/),
  refusal("a tar archive", "data.tar", tar, /data\.tar cannot be unpacked: the tar archive is cut off or damaged/),
  refusal(
    "a packed tar archive",
    "data.tar.gz",
    gzipSync(tar),
    /data\.tar\.gz cannot be unpacked: the tar archive is cut off or damaged/,
  ),
  refusal(
    "what begins as a DuckDB database",
    "shop.duckdb",
    magic("12345678DUCK\0"),
    /shop\.duckdb is a damaged DuckDB database/,
  ),
  refusal("packed with bzip2", "edges.csv.bz2", magic("BZh91AY&SY"), /edges\.csv\.bz2 cannot be unpacked: .*bzip2/),
  refusal("packed with xz", "edges.csv.xz", magic([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), /packed with xz: unpack it/),
  refusal("an old pickle", "g.p", magic("\x80\x02}q"), /g\.p is a Python pickle.*numpy\.save/),
  refusal(
    "a graph that DGL saved",
    "g.bin",
    magic([0x3f, 0xa1, 0xb4, 0x46, 0xf0, 0x4f, 0x2e, 0xdd]),
    /g\.bin is a graph that DGL saved.*numpy\.savetxt\("edges\.csv", numpy\.stack\(g\.edges\(\), 1\)/,
  ),
  refusal("a file of torch.save", "data.pt", magic("PK\x03\x04".padEnd(30) + "archive/data.pkl"), /data\.edge_index/),
  refusal("a dump of PostgreSQL", "db.dump", magic("PGDMP\x01"), /db\.dump is a dump of PostgreSQL: restore it.*copy/),
  refusal("packed JSON of another kind", "edges.json.gz", gzipSync('{"version": 1}'), /edges\.json\.gz holds JSON/),
];
