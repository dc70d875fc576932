/** The reader of scenes in JSON that have meshes or name files, in its own script. */
export { readSceneJson } from '@nexdyn/formats';
