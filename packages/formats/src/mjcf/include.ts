/** Replaces every <include> by the children of the root of the file it names. */
import { NexdynError } from '@nexdyn/engine';
import type { FileSource } from '../file-source.ts';
import { checkLimit, type ReadLimits } from '../limits.ts';
import { folderOf, resolvePath } from '../path.ts';
import { decodeText, readTextFile } from '../text-file.ts';
import { parseXml, type XmlElement } from '../xml/xml.ts';
import { fail, type Placed, placeOf } from './failure.ts';

/** Where files come from and whether they may lie outside. */
export interface FileAccess {
  files: FileSource;
  allowOutside: boolean;
  /** What is read at most. */
  limits: Readonly<ReadLimits>;
  /** Which objects of an OBJ file make a mesh. */
  objects: 'all' | 'first';
  /** Refuse triangles without area. */
  strictMeshes?: boolean;
}

/** Reads a file and everything it includes. */
export function readDocument(path: string, access: FileAccess): XmlElement {
  const root = parseXml(readTextFile(path, access.files, 'malformed-xml'), path, access.limits);
  // a second inclusion is refused like a cycle: files that include each other twice would double without end
  const included = new Set([path]);
  root.children = expandAll(root.children, { access, main: path, included, depth: 1 });
  return root;
}

interface Expansion {
  access: FileAccess;
  main: string;
  included: Set<string>;
  /** Files that are open, each included by the one before. */
  depth: number;
}

function expandAll(elements: readonly XmlElement[], expansion: Expansion): XmlElement[] {
  return elements.flatMap((element) => expand(element, expansion));
}

function expand(element: XmlElement, expansion: Expansion): XmlElement[] {
  if (element.name !== 'include') {
    if (element.children.length > 0) element.children = expandAll(element.children, expansion);
    return [element];
  }
  const { access, main, included, depth } = expansion;
  const attribute = element.attributes.get('file');
  if (!attribute) fail('missing-value', element, "<include> needs the attribute 'file'", 'write file="..."');
  const at: Placed = { file: element.file, line: attribute.line, column: attribute.column };
  checkLimit(depth + 1, 'includeDepth', access.limits, 'files that include each other', placeOf(at));
  const folders = [folderOf(main), folderOf(element.file)];
  const { path, bytes } = readReferenced(attribute.value, folders, access, at);
  if (included.has(path)) {
    fail('include-cycle', at, `'${path}' is included a second time`, 'a file can be included once');
  }
  included.add(path);
  const root = parseXml(decodeText(path, bytes, 'malformed-xml'), path, access.limits);
  return expandAll(root.children, { ...expansion, depth: depth + 1 });
}

/** Reads the first file that a reference finds in the given folders; errors name the place of the reference. */
export function readReferenced(
  reference: string,
  folders: readonly string[],
  access: FileAccess,
  at: Placed,
): { path: string; bytes: Uint8Array } {
  let outside: NexdynError | undefined;
  let first: string | undefined;
  for (const folder of folders) {
    try {
      const path = resolvePath(folder, reference, { allowOutside: access.allowOutside, place: placeOf(at) });
      first ??= path;
      const bytes = access.files.read(path);
      if (bytes) return { path, bytes };
    } catch (error) {
      // another folder may still hold the file inside
      if (!(error instanceof NexdynError) || error.code !== 'path-outside-folder') throw error;
      outside ??= error;
    }
  }
  if (outside) throw outside;
  fail('file-not-found', at, `there is no file '${first}'`, 'the path is relative to the folder of the model');
}
