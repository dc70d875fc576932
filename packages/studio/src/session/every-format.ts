/** All readers of scenes, in a script of its own: most visits never need the ones for XML. */
export { loadScene } from '@nexdyn/formats';
