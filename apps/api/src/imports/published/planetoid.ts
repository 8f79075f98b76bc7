import { labelledGraph, type PublishedDataset, publishedFile } from "./published-dataset.ts";

const parts = ["x", "y", "tx", "ty", "allx", "ally", "graph", "test.index"] as const;
const address = "https://raw.githubusercontent.com/kimiyoung/planetoid/master/data";

interface Facts extends Pick<PublishedDataset, "title" | "summary" | "numNodes" | "numEdges"> {
  /** Object ids of the files at commit af6abf468a77. */
  readonly blobs: Readonly<Record<(typeof parts)[number], string>>;
}

/** The citation graphs of Yang, Cohen and Salakhutdinov 2016 (arXiv:1603.08861), with their public split. */
function planetoid(name: string, { blobs, ...facts }: Facts): PublishedDataset {
  return {
    name,
    ...facts,
    licence: null,
    approximateBytes: null,
    files: parts.map((part) => publishedFile(`${address}/ind.${name}.${part}`, blobs[part])),
    spec: labelledGraph(`ind.${name}.graph`, "features.npz"),
  };
}

export const planetoidDatasets: readonly PublishedDataset[] = [
  planetoid("cora", {
    title: "Cora",
    summary: "Papers that cite each other, 7 topics, words as features, the public split of 20 labels a topic.",
    numNodes: 2708,
    numEdges: 5429,
    blobs: {
      x: "c4a91d008245403e7f26aa616b437191509793c0",
      y: "58e30ef120d3553cfaac33ff28c6b5436dbef661",
      tx: "6e856d777401ee15dc8619db76c97d0a40ba2d60",
      ty: "da1734ab670b5c8ecee78a9c30b35566df916f4b",
      allx: "44d53b1fece343538e45592caac521d73c6f98d6",
      ally: "04fbd0b083d09341fcf16b395c642329637f0542",
      graph: "4d3bf85dfc8b1c105a2c995597a1b3eed6947925",
      "test.index": "ded8092db4cd767a367eebe09003b954a5316f24",
    },
  }),
  planetoid("citeseer", {
    title: "Citeseer",
    summary: "Papers that cite each other, 6 topics, words as features, the public split of 20 labels a topic.",
    numNodes: 3327,
    numEdges: 4732,
    blobs: {
      x: "f094104a66f2689ffbd01085fe6a856689e9db9e",
      y: "e857ac49b611da98e101a068cf4855350274f68a",
      tx: "b2aff18aa1fc6f4f5e8c64db7643b59b24e42584",
      ty: "3795f79df0cd1123f4478b77c148a5fbacc4cefb",
      allx: "592091071ac35b78599c722d0e60b1c655711728",
      ally: "7503f81a0b6ac1cc21cb5a97073542a6b1dfe99c",
      graph: "a01dca663d0103c130f525017a4a9c313037e286",
      "test.index": "62d9e3d5ed53c66b069125af98529d76c70d9b3e",
    },
  }),
  planetoid("pubmed", {
    title: "Pubmed",
    summary: "Papers on diabetes that cite each other, 3 kinds, TF-IDF of words, the public split of 20 labels a kind.",
    numNodes: 19_717,
    numEdges: 44_338,
    blobs: {
      x: "16c0eca8d2b3297014ff80327416f9332eda10d7",
      y: "e86670576c85340eeb2271b3c918bfa89322b2cf",
      tx: "eee4f3c988fde0da87a9ec7b01ca5e7863c1b1f1",
      ty: "225a0bb9bb6430e3925d04688daf6a0da964c07a",
      allx: "3b86bccf08111c37c632a9dd8ab63db25ea76361",
      ally: "4c8bcdc80882dd225fe4dd4fafd723baa616ac97",
      graph: "76eb87e628a6b9d43fc31ea42c8c6c8f3e52b404",
      "test.index": "41f6befcb7750cc4858cb852f2b349a9598cb2f4",
    },
  }),
];
