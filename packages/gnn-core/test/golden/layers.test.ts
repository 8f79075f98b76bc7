import { beforeAll, describe, test } from "vitest";
import { type BackendName, selectBackend } from "../../src/backends/select-backend.ts";
import {
  add,
  gather,
  matMul,
  relu,
  slice,
  type Tensor,
  type Tensor1D,
  type Tensor2D,
  tensor1d,
  tidy,
} from "../../src/backends/tf.ts";
import { appnp } from "../../src/ops/appnp.ts";
import { batchNorm } from "../../src/ops/batch-norm.ts";
import { composeColumnMoments } from "../../src/ops/column-moments.ts";
import { edgeSoftmax } from "../../src/ops/edge-softmax.ts";
import { gcnNorm } from "../../src/ops/gcn-norm.ts";
import { ginSum } from "../../src/ops/gin-sum.ts";
import { l2Normalize } from "../../src/ops/l2-normalize.ts";
import { layerNorm } from "../../src/ops/layer-norm.ts";
import { linear } from "../../src/ops/linear.ts";
import { inclusiveMean } from "../../src/ops/neighbor-weights.ts";
import { sageConv } from "../../src/ops/sage-conv.ts";
import { spmmMax } from "../../src/ops/spmm-max.ts";
import { weightedSpmm } from "../../src/ops/weighted-spmm.ts";
import { checkGolden, turned } from "./check-golden.ts";
import { GoldenCase } from "./golden-file.ts";

const dense = (x: Tensor, weight: Tensor, bias: Tensor) =>
  linear(x as Tensor2D, { weight: weight as Tensor2D, bias: bias as Tensor1D }, "none");
/** Everything but the result is disposed. */
const tidied =
  (run: (...tensors: Tensor[]) => Tensor) =>
  (...tensors: Tensor[]) =>
    tidy(() => run(...tensors));
/** Our normalised adjacencies add the self-loop that these graphs have already. */
const withoutLoops = (src: number, dst: number) => src !== dst;

describe.each(["cpu", "native"] as const)(
  "layers give what DGL and PyTorch give, on the backend %s",
  (name: BackendName) => {
    beforeAll(() => selectBackend(name));

    test.each([
      "mean-graph",
      "mean-block",
      "mean-widen-graph",
      "mean-widen-block",
      "mean-relu-l2-graph",
      "mean-relu-l2-block",
    ])("SAGEConv %s", (which) => {
      const golden = new GoldenCase("sage", which);
      const { block } = golden.graph();
      const isNormalized = which.includes("relu-l2");
      checkGolden(
        golden,
        ["x", turned("param.fc_neigh.weight"), turned("param.fc_self.weight"), "param.fc_self.bias"],
        tidied((x, neigh, self, bias) => {
          const weights = { weightSelf: self as Tensor2D, weightNeigh: neigh as Tensor2D, bias: bias as Tensor1D };
          const out = sageConv(block, x as Tensor2D, weights, isNormalized ? "relu" : "none");
          return isNormalized ? l2Normalize(out) : out;
        }),
      );
    });

    test.each(["concat-graph", "concat-block"])("SAGEConv %s", (which) => {
      const golden = new GoldenCase("sage", which);
      const { block } = golden.graph();
      checkGolden(
        golden,
        ["x", turned("param.fc.weight"), "param.fc.bias"],
        tidied((x, weight, bias) => {
          const both = weight as Tensor2D;
          const [rows, outDim] = [both.shape[0] / 2, both.shape[1]];
          const weightSelf = slice(both, [0, 0], [rows, outDim]);
          const weightNeigh = slice(both, [rows, 0], [rows, outDim]);
          return sageConv(block, x as Tensor2D, { weightSelf, weightNeigh, bias: bias as Tensor1D }, "none");
        }),
      );
    });

    test.each(["gcn-graph", "gcn-block"])("SAGEConv %s", (which) => {
      const golden = new GoldenCase("sage", which);
      const { block } = golden.graph();
      checkGolden(
        golden,
        ["x", turned("param.fc_neigh.weight"), "param.bias"],
        tidied((x, weight, bias) => dense(weightedSpmm(block, x as Tensor2D, inclusiveMean(block)), weight, bias)),
      );
    });

    test.each(["pool-graph", "pool-block"])("SAGEConv %s", (which) => {
      const golden = new GoldenCase("sage", which);
      const { block } = golden.graph();
      const own = (x: Tensor) => slice(x as Tensor2D, [0, 0], [block.numDst, x.shape[1]!]);
      const pool = [turned("param.fc_pool.weight"), "param.fc_pool.bias"];
      checkGolden(
        golden,
        ["x", ...pool, turned("param.fc_neigh.weight"), turned("param.fc_self.weight"), "param.fc_self.bias"],
        tidied((x, poolWeight, poolBias, neigh, self, bias) => {
          const highest = spmmMax(block, relu(dense(x, poolWeight, poolBias)));
          return add(dense(own(x), self, bias), matMul(highest, neigh as Tensor2D));
        }),
      );
    });

    test.each(["sum-graph", "sum-block"])("GINConv %s", (which) => {
      const golden = new GoldenCase("gin", which);
      const { block } = golden.graph();
      checkGolden(
        golden,
        ["x", "param.eps"],
        tidied((x, epsilon) => ginSum(block, x as Tensor2D, epsilon as Tensor1D, null)),
      );
    });

    test.each(["sum-mlp-weighted-graph", "sum-mlp-weighted-block"])("GINConv %s", (which) => {
      const golden = new GoldenCase("gin", which);
      const { block, order } = golden.graph();
      const weights = golden.get("edge_weight").values;
      const edgeWeights = Float32Array.from(order, (edge) => weights[edge]!);
      const mlp = [0, 2].flatMap((i) => [turned(`param.apply_func.${i}.weight`), `param.apply_func.${i}.bias`]);
      checkGolden(
        golden,
        ["x", "param.eps", ...mlp],
        tidied((x, epsilon, w0, b0, w2, b2) => {
          const sum = ginSum(block, x as Tensor2D, epsilon as Tensor1D, edgeWeights);
          return dense(relu(dense(sum, w0, b0)), w2, b2);
        }),
      );
    });

    test("GraphConv with both norms, on a symmetric graph with self-loops", () => {
      const golden = new GoldenCase("graph_conv", "both-symmetric");
      const { block } = golden.graph(withoutLoops);
      checkGolden(
        golden,
        ["x", "param.weight", "param.bias"],
        tidied((x, weight, bias) => {
          const sum = weightedSpmm(block, x as Tensor2D, gcnNorm(block));
          return linear(sum, { weight: weight as Tensor2D, bias: bias as Tensor1D }, "none");
        }),
      );
    });

    test("SGConv of two hops", () => {
      const golden = new GoldenCase("sgc", "plain-symmetric");
      const { block } = golden.graph(withoutLoops);
      checkGolden(
        golden,
        ["x", turned("param.fc.weight"), "param.fc.bias"],
        tidied((x, weight, bias) => {
          const norm = gcnNorm(block);
          return dense(weightedSpmm(block, weightedSpmm(block, x as Tensor2D, norm), norm), weight, bias);
        }),
      );
    });

    test("APPNPConv of ten hops", () => {
      const golden = new GoldenCase("appnp", "plain-symmetric");
      const { block } = golden.graph(withoutLoops);
      const hops = Array.from({ length: 10 }, () => block);
      checkGolden(
        golden,
        ["x"],
        tidied((x) => appnp(hops, x as Tensor2D, { alpha: 0.1, dropout: null })),
      );
    });

    test.each(["by-dst-graph", "by-dst-block"])("edge softmax %s", (which) => {
      const golden = new GoldenCase("edge_softmax", which);
      const { block, order } = golden.graph();
      const back = new Int32Array(order.length);
      for (const [position, edge] of order.entries()) back[edge] = position;
      checkGolden(
        golden,
        ["x"],
        tidied((scores) => {
          const byDst = gather(scores as Tensor2D, tensor1d(order, "int32"));
          return gather(edgeSoftmax(block, byDst), tensor1d(back, "int32"));
        }),
      );
    });

    test("LayerNorm", () => {
      checkGolden(
        new GoldenCase("norms", "layer"),
        ["x", "param.weight", "param.bias"],
        tidied((x, scale, shift) => layerNorm(x as Tensor2D, scale as Tensor1D, shift as Tensor1D)),
      );
    });

    test.each(["batch-training", "batch-training-constant"])("BatchNorm1d %s", (which) => {
      checkGolden(
        new GoldenCase("norms", which),
        ["x", "param.weight", "param.bias"],
        tidied((x, scale, shift) => {
          const moments = composeColumnMoments(x as Tensor2D, x.shape[0]);
          return batchNorm(x as Tensor2D, moments, scale as Tensor1D, shift as Tensor1D);
        }),
      );
    });

    test("BatchNorm1d batch-inference", () => {
      const golden = new GoldenCase("norms", "batch-inference");
      const running = (array: string) => tensor1d(Float32Array.from(golden.get(array).values));
      checkGolden(
        golden,
        ["x", "param.weight", "param.bias"],
        tidied((x, scale, shift) => {
          const statistics = { mean: running("running_mean"), variance: running("running_var") };
          return batchNorm(x as Tensor2D, statistics, scale as Tensor1D, shift as Tensor1D);
        }),
      );
    });
  },
);
