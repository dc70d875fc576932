/** All readers of scenes, in its own script: most visits never need the ones for XML. */
export { loadScene, writeSceneJson } from '@nexdyn/formats';
