/** Which of many files is the scene: a folder of a robot holds models, parts they include, and meshes. */
import type { SceneFiles } from '../session/protocol.ts';

/** Enough of a file to see its root element or its format mark, bytes. */
const HEAD = 1 << 14;

/** Scenes among the files, the likeliest first. Files that another one includes are parts, not scenes. */
export function listSceneFiles(files: SceneFiles): string[] {
  const paths = Object.keys(files);
  const scenes = paths.filter((path) => isScene(path, files));
  // nothing looks like a scene: let the reader say what is wrong with the only text there is
  if (scenes.length === 0) return paths.length === 1 && /\.(xml|mjcf|urdf|json)$/i.test(paths[0]!) ? paths : [];
  const parts = new Set(scenes.flatMap((path) => listIncludes(path, files)));
  const roots = scenes.filter((path) => !parts.has(path));
  return (roots.length > 0 ? roots : scenes).sort(compareLikelihood);
}

function isScene(path: string, files: SceneFiles): boolean {
  if (/\.urdf$/i.test(path)) return true;
  if (/\.(xml|mjcf)$/i.test(path)) {
    const root = rootElement(readText(files[path]!, HEAD));
    // a file of keyframes or defaults alone is a part, whether or not somebody includes it
    return root === 'robot' || (root === 'mujoco' && /<(worldbody|include)\b/.test(readText(files[path]!)));
  }
  return /\.json$/i.test(path) && readText(files[path]!, HEAD).includes('nexdyn-scene');
}

/** Name of the first element, past declaration, comments and document type. */
function rootElement(text: string): string | undefined {
  return /^\uFEFF?(?:\s|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<![^>]*>)*<([\w:.-]+)/.exec(text)?.[1];
}

/** Paths of the files an MJCF file includes or attaches. */
function listIncludes(path: string, files: SceneFiles): string[] {
  if (!/\.(xml|mjcf)$/i.test(path)) return [];
  const text = readText(files[path]!).replace(/<!--[\s\S]*?-->/g, '');
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return Array.from(text.matchAll(/<(?:include|model)\b[^>]*?\bfile\s*=\s*["']([^"']+)["']/g), ([, file]) =>
    normalize(folder + file),
  );
}

function normalize(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

/** `scene.xml` and `scene_….xml` before others, then the shallower, MJCF before URDF, then by name. */
function compareLikelihood(a: string, b: string): number {
  const rank = (path: string): number[] => [
    /(^|\/)scene\.\w+$/i.test(path) ? 0 : /(^|\/)scene[^/]*$/i.test(path) ? 1 : 2,
    path.split('/').length,
    /\.urdf$/i.test(path) ? 1 : 0,
  ];
  const [ra, rb] = [rank(a), rank(b)];
  const differing = ra.findIndex((value, i) => value !== rb[i]);
  return differing < 0 ? a.localeCompare(b) : ra[differing]! - rb[differing]!;
}

function readText(content: Uint8Array | string, limit?: number): string {
  if (typeof content === 'string') return content.slice(0, limit);
  return new TextDecoder().decode(limit === undefined ? content : content.subarray(0, limit));
}
