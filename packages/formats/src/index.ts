export * from './file-source.ts';
export type * from './loaded-scene.ts';
