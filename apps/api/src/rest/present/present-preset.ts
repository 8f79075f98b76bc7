import type { PresetAnswer, PresetProposalAnswer } from "@hopwise/contracts";
import type { JobPreset, PresetProposal } from "@hopwise/gnn-core/spec";

function presentPreset({ name, situation, model, title, summary, spec }: JobPreset): PresetAnswer {
  return { name, situation, model, title, summary, spec: { ...spec } };
}

export function presentProposal({ reason, preset, others }: PresetProposal): PresetProposalAnswer {
  return { reason, preset: presentPreset(preset), others: others.map(presentPreset) };
}
