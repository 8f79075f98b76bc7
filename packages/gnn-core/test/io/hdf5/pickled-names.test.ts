import { expect, test } from "vitest";
import { namesInPickle } from "../../../src/io/hdf5/pickled-names.ts";

test.each<[what: string, pickle: string, names: readonly string[]]>([
  ["two texts", "(lp0\nVsource\np1\naVtarget\np2\na.", ["source", "target"]],
  ["a text beyond Latin-1", "(lp0\nVgr\\u00f6\\u00dfe\np1\na.", ["größe"]],
  ["whole numbers", "(lp0\nI0\naI1\na.", ["0", "1"]],
])("names of columns that Python pickled as text: %s", (_what, pickle, names) => {
  expect(namesInPickle(pickle)).toEqual(names);
});

test.each<[what: string, pickle: string | undefined]>([
  ["nothing", undefined],
  ["an empty list", "(lp0\n."],
  ["a call", "cos\nsystem\n(S'true'\ntR."],
  ["a call in a list", "(lp0\nVa\np1\nacos\nsystem\n(S'true'\ntRa."],
  ["a dict", "(dp0\nVa\np1\nVb\np2\ns."],
  ["a list that is cut off", "(lp0\nVa\np1\n"],
  ["more behind the list", "(lp0\nVa\np1\na.x"],
])("no names are in %s", (_what, pickle) => {
  expect(namesInPickle(pickle)).toBeNull();
});
