export { type CommandIo, createProcessIo } from './command-io.ts';
export { runCommandLine } from './command-line.ts';
export { EXIT, type ExitCode } from './exit-code.ts';
export { formatHelpPage } from './help-page.ts';
export { createNodeFiles } from './node-files.ts';
export { createProgram } from './program.ts';
export { loadSceneFile, type SceneFile, type SceneFileOptions } from './scene-file.ts';
export { overrideScene } from './scene-overrides.ts';
export { VERSION } from './version.ts';
