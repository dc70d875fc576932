export { checkExpansion, checkUnpacked, listZipEntries, type ZipEntry } from './archive/zip-directory.ts';
export type { ContactBlock, ContactProblem, ProblemMatrix } from './contact-problem/contact-problem.ts';
export { captureContactProblem, createContactProgram } from './contact-problem/contact-program.ts';
export { readContactProblem } from './contact-problem/read-contact-problem.ts';
export { writeContactProblem } from './contact-problem/write-contact-problem.ts';
export * from './file-source.ts';
export { type ImageData8, readPng } from './image/png.ts';
export { writePng } from './image/write-png.ts';
export { checkLimit, DEFAULT_LIMITS, type ReadLimits, resolveLimits } from './limits.ts';
export * from './load-scene.ts';
export type * from './loaded-scene.ts';
export { isGmsh, readGmsh, type TetMeshData } from './mesh/gmsh.ts';
export { type MeshData, readMesh } from './mesh/mesh.ts';
export { readMjcf } from './mjcf/mjcf.ts';
export type { UnwrittenItem } from './mjcf/write/unwritten.ts';
export { type WriteMjcfOptions, type WrittenMjcf, writeMjcf } from './mjcf/write/write-mjcf.ts';
export type { WrittenImage } from './mjcf/write/write-pictures.ts';
export { type LaidSurface, layOut } from './picture/drawn-part.ts';
export { Photographer, type PictureOptions } from './picture/photographer.ts';
export { SkinSurface } from './picture/skin-surface.ts';
export { makeTexture, type TextureImage, type TextureImages } from './picture/texture-image.ts';
export { type CameraPlace, findCamera, type View, viewFrom } from './picture/view.ts';
export { listCsvLines, listRaggedCsvLines, readCsv, writeCsv } from './recording/csv.ts';
export { writeGlb } from './recording/glb.ts';
export { writeMcap } from './recording/mcap.ts';
export { createMotion, type Motion, type MotionBody } from './recording/motion/motion.ts';
export type { SoftSurface } from './recording/motion/soft-surface.ts';
export type { MotionPart, Solid } from './recording/motion/solid.ts';
export { type Surface, triangulate } from './recording/motion/surface.ts';
export type { NpyArray } from './recording/npy.ts';
export { readNpz, writeNpz, writeNpzArrays } from './recording/npz.ts';
export { type ContactTally, createTally, type Touching, tallyContacts } from './recording/recorder/contact-tally.ts';
export { type FrameHash, formatHashes, HASH_FILE, hashFrame, parseHashes } from './recording/recorder/frame-hashes.ts';
export {
  countFrameNumbers,
  createRecorder,
  type RecordedFrames,
  type Recorder,
} from './recording/recorder/recorder.ts';
export { labelPositions, labelVelocities, type StateLabel } from './recording/recorder/state-labels.ts';
export type { RaggedColumns, Recording, RecordingColumn } from './recording/recording.ts';
export {
  applyLastWrites,
  checkRunInputs,
  InputPlayer,
  type PullInput,
  type RunInput,
  type WriteInput,
} from './recording/run-input.ts';
export { parseJson } from './scene-json/json-text.ts';
export { parseSceneJson } from './scene-json/parse-scene-json.ts';
export { readSceneJson } from './scene-json/read-scene-json.ts';
export { writeSceneJson } from './scene-json/write-scene-json.ts';
export { groupUnsupported } from './unsupported-groups.ts';
export { readUrdf } from './urdf/urdf.ts';
export { findRootElement } from './xml/root-element.ts';
