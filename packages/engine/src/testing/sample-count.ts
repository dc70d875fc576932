/** How many of `all` random samples or steps a test takes: a part in `npm test`, all of them in `npm run validate`. */
export function takeSamples(all: number, part: number): number {
  return process.env['NEXDYN_LONG'] ? all : Math.ceil(all * part);
}
