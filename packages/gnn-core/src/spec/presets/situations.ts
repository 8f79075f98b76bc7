/** The situations that presets are made for, in the order of the catalogue. */
export const situations = [
  {
    name: "few-labels",
    title: "Few labels, neighbours alike",
    summary: "At most 50 training nodes a class; edges mostly join nodes of one class, as citations do.",
  },
  {
    name: "very-few-labels",
    title: "A handful of labels",
    summary: "Fewer than 5 training nodes a class, as where each of many classes has but one example.",
  },
  {
    name: "few-labels-dense",
    title: "Few labels, many neighbours alike",
    summary: "The same on a graph of mean degree 15 or more, such as goods bought together.",
  },
  {
    name: "many-labels",
    title: "Plenty of labels, neighbours alike",
    summary: "More than 50 training nodes a class on a graph of up to 200,000 nodes.",
  },
  {
    name: "unlike-neighbors",
    title: "Neighbours differ",
    summary:
      "Edges join nodes of one class hardly more often than chance would have it, so each node keeps its own row.",
  },
  {
    name: "no-features",
    title: "No features",
    summary: "Nodes have nothing but their edges; columns that say where a node lies in the graph are made from them.",
  },
  {
    name: "few-labels-no-features",
    title: "Few labels, no features",
    summary: "Nothing but edges and at most 50 training nodes a class, which spread along the edges.",
  },
  {
    name: "typed",
    title: "Types of nodes or edges",
    summary: "Nodes or edges of several types, whose weights are their own: papers, authors and what joins them.",
  },
  {
    name: "many-relations",
    title: "Many relations",
    summary: "Edges of more than twelve relations, as in an RDF graph: their weights are made of shared ones.",
  },
  {
    name: "large",
    title: "Large graph",
    summary: "More than 200,000 nodes or 20 million edges: sampled neighbours, evaluated every few epochs.",
  },
  {
    name: "large-few-labels",
    title: "Large graph, few labels",
    summary: "A large graph with at most 50 training nodes a class: the same model in many epochs of a few steps each.",
  },
  {
    name: "no-labels",
    title: "No labels",
    summary: "Nothing is known of the nodes that could be predicted: rows for them are learnt.",
  },
  {
    name: "large-no-labels",
    title: "Large, nothing but edges",
    summary: "More than 200,000 nodes or 20 million edges, neither labels nor features: rows without training.",
  },
  {
    name: "links",
    title: "Links",
    summary: "Which nodes are linked, learnt from the edges and what features there are.",
  },
  {
    name: "links-by-time",
    title: "Links by time",
    summary: "Which nodes will be linked: the newest links are held out.",
  },
  {
    name: "knowledge",
    title: "Links of many relations",
    summary: "Facts of a knowledge graph: which nodes are joined by which relation.",
  },
  {
    name: "recommendation",
    title: "Recommendation",
    summary: "What to show to whom: unseen nodes are ranked for each node, such as goods for customers.",
  },
  {
    name: "labelled-edges",
    title: "Labelled edges",
    summary: "Edges with a class or numbers of their own, such as ratings.",
  },
  {
    name: "whole-graphs",
    title: "Whole graphs",
    summary: "A set of graphs, such as molecules, of which each has a class or numbers of its own.",
  },
  {
    name: "quick",
    title: "Quick look",
    summary: "Ten epochs on any graph: shows in seconds whether the graph helps at all. Never proposed.",
  },
] as const;
export type SituationName = (typeof situations)[number]["name"];
