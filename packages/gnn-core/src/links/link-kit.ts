import { complExDecoder } from "./decoders/compl-ex.ts";
import { cosineDecoder } from "./decoders/cosine.ts";
import { distMultDecoder } from "./decoders/dist-mult.ts";
import { dotDecoder } from "./decoders/dot.ts";
import { mlpDecoder } from "./decoders/mlp.ts";
import { rotatEDecoder } from "./decoders/rotat-e.ts";
import { transEDecoder } from "./decoders/trans-e.ts";
import { binaryCrossEntropy } from "./losses/binary-cross-entropy.ts";
import { bpr } from "./losses/bpr.ts";
import { infoNce } from "./losses/info-nce.ts";
import { marginLoss } from "./losses/margin.ts";
import { evenWeights, selfAdversarialWeights } from "./losses/negative-weights.ts";
import { softmaxLoss } from "./losses/softmax.ts";
import { bothEnds } from "./negatives/both-ends.ts";
import { tailsByDegree } from "./negatives/by-degree.ts";
import { inBatchTails } from "./negatives/in-batch.ts";
import { jointTails } from "./negatives/joint.ts";
import { noNegatives } from "./negatives/none.ts";
import { sharedTails } from "./negatives/shared.ts";
import { uniformTail } from "./negatives/uniform-tail.ts";

/** What tasks on edges are built from; they receive it as `kit`. */
export const linkKit = {
  decoders: {
    dot: dotDecoder,
    cosine: cosineDecoder,
    mlp: mlpDecoder,
    distMult: distMultDecoder,
    complEx: complExDecoder,
    transE: transEDecoder,
    rotatE: rotatEDecoder,
  },
  losses: { binaryCrossEntropy, softmaxLoss, infoNce, bpr, marginLoss },
  weights: { evenWeights, selfAdversarialWeights },
  negatives: { noNegatives, uniformTail, bothEnds, jointTails, inBatchTails, tailsByDegree, sharedTails },
} as const;
export type LinkKit = typeof linkKit;
