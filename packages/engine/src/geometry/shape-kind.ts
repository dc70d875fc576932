export { SHAPE } from './shapes/shape-table.ts';
