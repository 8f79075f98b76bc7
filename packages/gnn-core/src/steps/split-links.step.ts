import { defineStep } from "../components/define-step.ts";
import { splitLinksStepOptions } from "../spec/link-split.ts";
import { logged } from "./logged.ts";

/** `graph` → `links`: which edges carry messages, are learnt from, or are held out, with their negatives. */
export const splitLinksStep = defineStep({
  name: "splitLinks",
  // 4: relations of messages, where links are told apart by them
  version: 4,
  title: "Split links",
  summary: "Tells links to learn from and held-out links apart, and draws the pairs that these are judged against.",
  options: splitLinksStepOptions,
  inputs: ["graph"],
  output: "links",
  ranks: "one",
  reusable: true,
  run: (context) =>
    logged(
      context,
      "Links split",
      async () => (await import("./run-split-links-step.ts")).runSplitLinksStep(context),
      ({ numMessages, links, negatives }) => ({
        messages: numMessages,
        ...links,
        negatives: negatives.val + negatives.test,
      }),
    ),
});
