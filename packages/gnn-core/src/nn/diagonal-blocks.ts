/** The largest number of equal blocks, at most `most`, that both widths can be cut into. */
export function blocksOf(inDim: number, outDim: number, most: number): number {
  let numBlocks = Math.min(most, inDim, outDim);
  while (inDim % numBlocks !== 0 || outDim % numBlocks !== 0) numBlocks -= 1;
  return numBlocks;
}
