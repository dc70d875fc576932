/** Which of many files is the scene: a folder of a robot holds models, parts they include, and meshes. */
import { findRootElement } from '@nexdyn/formats';
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
    const root = findRootElement(readText(files[path]!, HEAD));
    // a file of keyframes or defaults alone is a part, whether or not somebody includes it
    return root === 'robot' || (root === 'mujoco' && /<(worldbody|include)\b/.test(readText(files[path]!)));
  }
  return /\.json$/i.test(path) && readText(files[path]!, HEAD).includes('nexdyn-scene');
}

/** Paths of the files an MJCF file includes or attaches. */
function listIncludes(path: string, files: SceneFiles): string[] {
  if (!/\.(xml|mjcf)$/i.test(path)) return [];
  const text = removeComments(readText(files[path]!));
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return Array.from(text.matchAll(/<(?:include|model)\b[^<>]{0,2000}/g)).flatMap(([tag]) => {
    const file = /\bfile\s{0,9}=\s{0,9}["']([^"']+)["']/.exec(tag)?.[1];
    return file === undefined ? [] : [normalize(folder + file)];
  });
}

/** The text outside its comments; each character is looked at once. */
function removeComments(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let start = text.indexOf('<!--'); start >= 0; start = text.indexOf('<!--', from)) {
    parts.push(text.slice(from, start));
    const end = text.indexOf('-->', start + 4);
    if (end < 0) return parts.join('');
    from = end + 3;
  }
  parts.push(text.slice(from));
  return parts.join('');
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
