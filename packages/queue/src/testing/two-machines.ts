/** Two network namespaces with a cable between them: machines that reach each other by address, and nothing else. */
import { spawn, spawnSync } from 'node:child_process';
import { pause } from './redis-server.ts';

/** Addresses of the two ends, in a block that is kept for tests (RFC 5737). */
const ADDRESSES = ['192.0.2.1', '192.0.2.2'] as const;
const PORT = 6379;

export class TwoMachines {
  readonly #names = [0, 1].map((n) => `nexdyn-${process.pid}-${n}`);
  readonly #children: ReturnType<typeof spawn>[] = [];

  /** Both machines; undefined where the system allows none. */
  static connect(): TwoMachines | undefined {
    const machines = new TwoMachines();
    const [a, b] = machines.#names as [string, string];
    const [left, right] = [`nx${process.pid}a`, `nx${process.pid}b`];
    const isReady =
      runIp('netns', 'add', a) &&
      runIp('netns', 'add', b) &&
      runIp('link', 'add', left, 'netns', a, 'type', 'veth', 'peer', 'name', right, 'netns', b) &&
      [
        [a, left],
        [b, right],
      ].every(
        ([name, link], n) =>
          runIp('-n', name!, 'addr', 'add', `${ADDRESSES[n]}/24`, 'dev', link!) &&
          runIp('-n', name!, 'link', 'set', link!, 'up') &&
          runIp('-n', name!, 'link', 'set', 'lo', 'up'),
      );
    if (isReady) return machines;
    machines.remove();
    return undefined;
  }

  /** The shell command that goes to a machine before another is run. */
  enter(machine: 0 | 1): string {
    return `exec ip netns exec ${this.#names[machine]} "$@"`;
  }

  /** A Redis on the first machine; its address. */
  async startRedis(folder: string): Promise<string> {
    const address = ['--bind', ADDRESSES[0], '--port', String(PORT), '--protected-mode', 'no'];
    const server = ['redis-server', ...address, '--dir', folder, '--save', ''];
    this.#children.push(spawn('ip', ['netns', 'exec', this.#names[0]!, ...server], { stdio: 'ignore' }));
    while (!this.canReach(1)) await pause(50);
    return `redis://${ADDRESSES[0]}:${PORT}`;
  }

  /** Whether a machine can reach the Redis of the first. */
  canReach(machine: 0 | 1): boolean {
    const look = `require('net').connect(${PORT}, '${ADDRESSES[0]}').on('connect', () => process.exit(0)).on('error', () => process.exit(1))`;
    return runIp('netns', 'exec', this.#names[machine]!, process.execPath, '-e', look);
  }

  /** Takes both away with all that runs in them. */
  remove(): void {
    for (const child of this.#children) child.kill('SIGKILL');
    for (const name of this.#names) runIp('netns', 'del', name);
  }
}

function runIp(...args: string[]): boolean {
  return spawnSync('ip', args, { stdio: 'ignore', timeout: 10_000 }).status === 0;
}
