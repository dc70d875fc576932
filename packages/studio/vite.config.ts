import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { CONTENT_POLICY } from '../cli/src/content-policy.ts';
import { dropUnusedBranches } from './src/view3d/three-parts/shader-branches.ts';

const locate = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Parts of three that the page never uses, and what stands in for them. */
const STAND_INS: Readonly<Record<string, string>> = {
  './webxr/WebXRManager.js': locate('src/view3d/three-parts/no-headset.ts'),
  './webgl/WebGLEnvironments.js': locate('src/view3d/three-parts/no-environment.ts'),
  './webgl/WebGLOutput.js': locate('src/view3d/three-parts/no-extras.ts'),
  './webgl/WebGLMorphtargets.js': locate('src/view3d/three-parts/no-extras.ts'),
  './webgl/WebGLUniformsGroups.js': locate('src/view3d/three-parts/no-extras.ts'),
  // frusta of several cameras in one
  '../math/FrustumArray.js': locate('src/view3d/three-parts/no-extras.ts'),
  // as the shadow map names it
  '../WebGLCubeRenderTarget.js': locate('src/view3d/three-parts/no-extras.ts'),
};

/** Shaders of materials that the page does not have: it draws with the standard material and with shaders of its own. */
const UNUSED_PROGRAMS =
  /ShaderLib\/(?:mesh(?:basic|lambert|matcap|normal|phong|toon)|backgroundCube|cube|equirect|linedashed|points|shadow|sprite)\.glsl\.js$/;
/** Pieces of shaders that act only under switches that the page never sets, and those of the materials above. */
const UNUSED_CHUNKS =
  /ShaderChunk\/(?:alpha(?:hash|map|test)|aomap|batching|bumpmap|clearcoat|clipping_planes|displacementmap|dithering|emissivemap|envmap|fog|gradientmap|iridescence|lightmap|lightprobes|lights_(?:fragment_maps|lambert|phong|toon)|logdepthbuf|map_particle|morph|normal_fragment_maps|normalmap|shadowmask|skin|specularmap|transmission)\w*\.glsl\.js$/;

/** Tone mappings in their order, without the one that the page uses. */
const OTHER_TONE_MAPPINGS = /vec3 ReinhardToneMapping[\s\S]*(?=vec3 NeutralToneMapping)/;

/** three from its sources, without the parts that have a stand-in: the first scripts stay small. */
function leaveOutParts(): Plugin {
  const sources = createRequire(import.meta.url).resolve('three/src/Three.js');
  return {
    name: 'leave-out-parts-of-three',
    enforce: 'pre',
    apply: 'build',
    resolveId(source, importer) {
      if (source === 'three') return sources;
      return importer?.includes('/three/src/renderers/') ? STAND_INS[source] : undefined;
    },
    // shaders are text: comments and indentation would stay in it
    transform(code, id) {
      if (!id.endsWith('.glsl.js')) return undefined;
      if (UNUSED_PROGRAMS.test(id)) return { code: "export const vertex = ''; export const fragment = '';", map: null };
      if (UNUSED_CHUNKS.test(id)) return { code: "export default '';", map: null };
      const bare = code
        .replace(/\/\*(?! glsl)[\s\S]*?\*\//g, '')
        .replace(/[ \t]*\/\/.*$/gm, '')
        .replace(/^[ \t]+/gm, '')
        .replace(/\n{2,}/g, '\n')
        .replace(OTHER_TONE_MAPPINGS, '');
      return { code: dropUnusedBranches(bare), map: null };
    },
  };
}

/** What the worker of the simulation begins with, in one script; a player of replays is one script already and stays one. */
function gatherEngine(): Plugin {
  let isSimulation = false;
  return {
    name: 'gather-engine',
    options({ input }) {
      isSimulation = JSON.stringify(input).includes('session/worker.ts');
    },
    outputOptions(options) {
      return isSimulation
        ? { ...options, codeSplitting: { groups: [{ name: 'engine', tags: ['$initial'] }] } }
        : undefined;
    },
  };
}

/** The policy as part of the page, so that it holds wherever the page is hosted. */
function addContentPolicy(): Plugin {
  return {
    name: 'add-content-policy',
    apply: 'build',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: CONTENT_POLICY.join('; ') },
        injectTo: 'head-prepend',
      },
    ],
  };
}

// The page is built from the TypeScript sources of all packages and works from any static folder.
export default defineConfig({
  root: locate('.'),
  base: './',
  plugins: [leaveOutParts(), addContentPolicy()],
  resolve: {
    conditions: ['nexdyn-source', 'module', 'browser', 'development|production'],
    // what few scenes begin with comes when it is asked for: see load-parts.ts of the engine
    alias: [
      { find: /^@nexdyn\/engine$/, replacement: locate('../engine/src/core.ts') },
      // readers come in scripts of their own, without the engine
      { find: /^\.\/muscle-simulation\.ts$/, replacement: locate('src/session/muscle-simulation.ts') },
    ],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  worker: { format: 'es', plugins: () => [leaveOutParts(), gatherEngine()] },
  server: { host: '127.0.0.1' },
  preview: { host: '127.0.0.1' },
  build: {
    target: 'es2022',
    cssTarget: 'chrome123',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      // the element that other pages embed scenes with is a file of its own, under a name that stays
      input: { index: locate('index.html'), 'nexdyn-scene': locate('src/embed/nexdyn-scene.ts') },
      output: {
        // one script in place of forty: fewer requests, and it compresses better
        codeSplitting: { groups: [{ name: 'start', tags: ['$initial'], test: /^(?!.*nexdyn-scene)/ }] },
        entryFileNames: ({ name }) => (name === 'nexdyn-scene' ? 'nexdyn-scene.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
});
