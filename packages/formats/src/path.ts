/** Paths inside a file source: '/' separated, relative to the root, without '.' and '..'. */
import { type ErrorPlace, NexdynError } from '@nexdyn/engine';

/** How a reference is resolved. */
export interface ResolveOptions {
  /** Let the result leave the root; it then begins with '../' or is absolute. Default: false. */
  allowOutside?: boolean | undefined;
  /** Where the reference is, for the error. */
  place?: ErrorPlace;
}

/** Resolves a reference against a folder (both relative to the root); refuses what leaves the root. */
export function resolvePath(folder: string, reference: string, options: ResolveOptions = {}): string {
  const target = reference.replaceAll('\\', '/');
  const resolved = normalizePath(isAbsolute(target) || folder === '' ? target : `${folder}/${target}`);
  const leaves = isAbsolute(resolved) || resolved === '..' || resolved.startsWith('../');
  if (leaves && !options.allowOutside) {
    throw new NexdynError('path-outside-folder', `'${reference}' is outside the folder of the model`, {
      hint: 'give a folder that contains both (--root FOLDER), or allow any file (--allow-outside; allowOutside in code)',
      ...options.place,
    });
  }
  return resolved;
}

/** The folder of a path: '' for a file in the root. */
export function folderOf(path: string): string {
  const slash = path.replaceAll('\\', '/').lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, Math.max(slash, path.startsWith('/') ? 1 : 0));
}

/** The last part of a path. */
export function fileNameOf(path: string): string {
  return path.slice(path.replaceAll('\\', '/').lastIndexOf('/') + 1);
}

/** Whether a path does not depend on a folder: '/...', 'C:/...' or 'scheme://...'. */
export function isAbsolute(path: string): boolean {
  return /^([\\/]|[A-Za-z]:[\\/]|[A-Za-z][A-Za-z0-9+.-]+:\/\/)/.test(path);
}

function normalizePath(path: string): string {
  const head = /^(\/|[A-Za-z]:\/|[A-Za-z][A-Za-z0-9+.-]+:\/\/)/.exec(path)?.[0] ?? '';
  const parts: string[] = [];
  for (const part of path.slice(head.length).split('/')) {
    if (part === '' || part === '.') continue;
    // a step up takes back the last step down; at the top of an absolute path there is nothing above
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '..' || head === '') parts.push(part);
  }
  return head + parts.join('/');
}
