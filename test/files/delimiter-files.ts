import { type FileCase, lines, pairs, path } from "./case.ts";

const ratings = lines(
  "1::1193::5::978300760",
  "1::661::3::978302109",
  "2::1193::4::978301968",
  "2::3::3::978300275",
  "3::1::4::978301000",
);
const users = lines("1::F::1::10::48067", "2::M::56::16::70072", "3::M::25::15::55117");
const movies = lines(
  "1::Toy Story (1995)::Animation|Children's|Comedy",
  "3::Grumpier Old Men (1995)::Comedy|Romance",
  '661::"James" and the Giant Peach, The (1996)::Animation',
  "1193::Misérables, Les (1995)::Drama",
);
/** `1` is a user and a movie: two nodes. */
const rated = {
  nodes: 7,
  edges: 5,
  ids: ["users/1", "movies/1", "movies/1193"],
  edgeTypes: ["ratings", "rev_ratings"],
} as const;

const genres = (film: number) => Array.from({ length: 19 }, (_, genre) => (film + genre) % 2).join("|");
const hundred = {
  "u.data": ratings.replaceAll("::", "\t"),
  "u.user": lines("1|24|M|technician|85711", "2|53|F|other|94043", "3|23|M|writer|32067"),
  "u.item": lines(
    ...[1, 3, 661, 1193].map((film) => `${film}|Film ${film} (1995)|01-Jan-1995||http://x/${film}|${genres(film)}`),
  ),
};

const between = (title: string, delimiter: string, name = "edges.txt"): FileCase => ({
  title,
  files: { [name]: lines(...pairs(delimiter)) },
  graph: path,
});

/** Delimiters that few have, some of more than one character. */
export const delimiterFileCases: readonly FileCase[] = [
  {
    title: "MovieLens 1M: ratings, users and movies, these in Latin-1",
    files: { "ratings.dat": ratings, "users.dat": users, "movies.dat": Buffer.from(movies, "latin1") },
    graph: rated,
    warns: [
      /users \(users\.dat\), movies \(movies\.dat\).*users ratings movies/,
      /movies\.dat: its bytes are not UTF-8/,
    ],
  },
  {
    title: "MovieLens' ratings alone",
    files: { "ratings.dat": ratings },
    graph: { ...rated, ids: ["user/1", "movie/1"] },
    warns: [/"UserID" and "MovieID" are ids of two kinds/],
  },
  {
    title: "MovieLens 100K, whose columns have no names and whose users and items are numbered alike",
    files: hundred,
    graph: { ...rated, ids: ["user/1", "item/1", "item/1193"] },
    warns: [/user \(u\.user\), item \(u\.item\)/],
  },
  {
    title: "a split of MovieLens 100K",
    files: { "u1.base": ratings.replaceAll("::", "\t") },
    graph: { ...rated, ids: ["user/1", "item/1"], edgeTypes: ["rev_u1", "u1"] },
    warns: [/"user_id" and "item_id" are ids of two kinds/],
  },
  {
    title: "names between double colons",
    files: { "edges.csv": lines("source::target::weight", "ann b::bob::0.5", 'bob::c, "d"::1.5') },
    graph: { nodes: 3, edges: 2, ids: ["ann b", "bob", 'c, "d"'], weighted: true },
  },
  {
    title: "names of C++ between commas, which have double colons themselves",
    files: { "edges.csv": lines("std::a,std::b", "std::b,std::c") },
    graph: { nodes: 3, edges: 2, ids: ["std::a", "std::c"] },
  },
  {
    title: "names of C++ between blanks",
    files: { "edges.txt": lines("std::a std::b", "std::b std::c") },
    graph: { nodes: 3, edges: 2, ids: ["std::a", "std::c"] },
  },
  {
    title: "Hive's control characters, between which quotes are text",
    files: {
      "edges.txt": lines(...pairs("\u0001")),
      "nodes.txt": lines('1|0.5|1|"a" x', "2|1.5|2|b", '3|0|3|"a" x', "4|1|4|b").replaceAll("|", "\u0001"),
    },
    graph: { ...path, classes: ['"a" x', "b"], features: 2 },
    warns: [/nodes\.txt: its columns have no names/],
  },
  between("circumflexes", "^"),
  between("tildes", "~"),
  between("exclamation marks", "!"),
  between("double vertical bars, which are no empty columns between single ones", "||", "edges.csv"),
  between("double tabs", "\t\t"),
  between("signs that no text has", "|~|"),
  between("other signs that no text has", "^|^"),
  {
    title: "quoted names between double vertical bars",
    files: { "edges.csv": lines("src||dst", '"a||b"||c', 'c||"d ""e"""') },
    graph: { nodes: 3, edges: 2, ids: ["a||b", "c", 'd "e"'] },
  },
  {
    title: "an empty column between vertical bars",
    files: { "edges.csv": lines("src|note|dst|weight", "1||2|0.5", "2||3|0.25", "3||4|1") },
    graph: { ...path, weighted: true },
    warns: [/"note" is left out/],
  },
];
