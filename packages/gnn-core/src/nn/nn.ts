import { tfjs } from "../backends/tf.ts";
import { edgeSoftmax } from "../ops/edge-softmax.ts";
import { featuresToTensor } from "../ops/features-to-tensor.ts";
import { gsddmm, gspmm, updateAll } from "../ops/message-passing.ts";
import { activate } from "./activate.ts";
import { appnpModel } from "./appnp.ts";
import { fastRpHopLayer } from "./fast-rp-hop.ts";
import { gatConvLayer } from "./gat-conv.ts";
import { gcnConvLayer } from "./gcn-conv.ts";
import { generalLayer } from "./general-layer.ts";
import { ginConvLayer } from "./gin-conv.ts";
import type { Nn } from "./index.ts";
import { inputDropout } from "./input-dropout.ts";
import { jumpingLayers } from "./jumping-knowledge.ts";
import { lightGcnModel } from "./light-gcn.ts";
import { linearLayer } from "./linear.ts";
import { relationAttentionLayer } from "./relation-attention.ts";
import { relationConvLayer } from "./relation-conv.ts";
import { relationGatLayer } from "./relation-gat.ts";
import { sageConvLayer } from "./sage-conv.ts";
import { sequential } from "./sequential.ts";
import { sgcHopLayer } from "./sgc-hop.ts";
import { transformerConvLayer } from "./transformer-conv.ts";
import { withTypedInput } from "./typed-input.ts";
import { filled, glorotUniform, zeros } from "./variables.ts";

/** The layers, on whichever backend is active. */
export const nn: Nn = {
  sageConv: sageConvLayer,
  gatConv: gatConvLayer,
  gcnConv: gcnConvLayer,
  sgcHop: sgcHopLayer,
  lightGcn: lightGcnModel,
  fastRpHop: fastRpHopLayer,
  ginConv: ginConvLayer,
  relationConv: relationConvLayer,
  relationAttention: relationAttentionLayer,
  relationGat: relationGatLayer,
  transformerConv: transformerConvLayer,
  linear: linearLayer,
  generalLayer,
  jumpingLayers,
  withTypedInput,
  appnp: appnpModel,
  sequential,
  glorotUniform,
  zeros,
  filled,
  activate,
  dropout: inputDropout,
  toTensor: (x) => ("kind" in x ? featuresToTensor(x) : x),
  updateAll,
  gspmm,
  gsddmm,
  edgeSoftmax,
  tf: tfjs,
};
