export { addPairBlocks, expandPairBlocks, writeTwoWays } from './pair-blocks';
