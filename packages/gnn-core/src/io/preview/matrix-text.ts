const asEdges =
  'numpy.savetxt("edges.csv", numpy.argwhere(numpy.loadtxt(path)), "%d", ",", header="src,dst", comments="") writes its edges';
const namedAsEdges =
  'with pandas: m = pandas.read_csv(path, index_col=0).stack(); m[m != 0].to_csv("edges.csv", index_label=["src", "dst"], header=["weight"])';
/** Tables of edges have fewer columns. */
const wide = 20;

/**
 * What text is that holds a matrix; null: nothing of the kind. Of a file that goes on, the block of its first rows and
 * as many columns is looked at.
 */
export function matrixText(lines: readonly string[], isWhole: boolean): string | null {
  if (isNamedMatrix(lines, isWhole))
    return `a matrix with as many rows as columns, as an adjacency matrix is. Write its edges as a table, one row for each: ${namedAsEdges}.`;
  const rows = lines.map((line) => line.trim().split(/[\s,;]+/));
  const width = rows[0]?.length ?? 0;
  if (width < 3 || rows.some((row) => row.length !== width)) return null;
  const values = rows.map((row) => row.map(Number));
  if (values.some((row) => row.some(Number.isNaN))) return null;
  const isBinary = values.every((row) => row.every((value) => value === 0 || value === 1));
  const isSymmetric = values.every((row, i) => row.every((value, j) => j >= values.length || value === values[j]![i]));
  const isSquare = isWhole ? rows.length === width : rows.length < width && width >= wide;
  if (isSquare && (isBinary || (isSymmetric && width > 3)))
    return `a matrix with as many rows as columns, as an adjacency matrix is. Write its edges as a table, one row for each: ${asEdges}.`;
  if (isBinary && width >= wide && !/[,;]/.test(lines[0]!))
    return `a matrix of ${width} columns of zeros and ones. If they are features of nodes, save it with numpy.save("x.npy", numpy.loadtxt(path)) beside a table of nodes; if it is an adjacency matrix, ${asEdges}.`;
  return null;
}

/** The names of the columns are those of the rows. */
function isNamedMatrix(lines: readonly string[], isWhole: boolean): boolean {
  return [",", ";", "\t"].some((delimiter) => {
    const [names = [], ...rows] = lines.map((line) => line.split(delimiter));
    const isSquare = isWhole ? names.length === rows.length + 1 : names.length > rows.length && rows.length > 2;
    return names.length > 3 && isSquare && rows.every(([name], i) => name === names[i + 1]);
  });
}
