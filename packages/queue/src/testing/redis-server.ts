/** A Redis of a test's own, on a free port, with its data in a folder of the test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { Redis } from 'ioredis';
import type { TestCertificates } from './certificate.ts';

/** As in scripts/programs.mjs. */
const SERVER = [
  process.env['NEXDYN_REDIS'],
  ...(process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'redis-server')),
].find((path) => path && existsSync(path));

/** Whether there is a server; where there is none, tests that need it are skipped and say why. */
export const hasRedis: boolean = SERVER !== undefined;
if (!hasRedis) console.error('no redis-server (Debian: apt install redis-server): tests of the queue are skipped');

export class RedisServer {
  readonly port: number;
  readonly #args: readonly string[];
  readonly #certificates: TestCertificates | undefined;
  #process: ChildProcess | undefined;

  private constructor(port: number, args: readonly string[], certificates?: TestCertificates) {
    this.port = port;
    this.#args = args;
    this.#certificates = certificates;
  }

  /** Starts a server that speaks TLS alone. */
  static async startSecure(folder: string, certificates: TestCertificates, ...args: string[]): Promise<RedisServer> {
    const server = new RedisServer(await findPort(), ['--dir', folder, '--save', '', ...args], certificates);
    await server.restart();
    return server;
  }

  /** Starts a server; `args` as after redis-server. */
  static async start(folder: string, ...args: string[]): Promise<RedisServer> {
    const server = new RedisServer(await findPort(), ['--dir', folder, '--save', '', ...args]);
    await server.restart();
    return server;
  }

  get url(): string {
    return `${this.#certificates ? 'rediss' : 'redis'}://127.0.0.1:${this.port}`;
  }

  // TLS alone: no port without it
  #listPorts(): string[] {
    const port = String(this.port);
    if (!this.#certificates) return ['--port', port];
    const { authority, certificate, key } = this.#certificates;
    const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', authority];
    return ['--port', '0', '--tls-port', port, '--tls-auth-clients', 'no', ...files];
  }

  async restart(): Promise<void> {
    this.#process = spawn(SERVER!, [...this.#listPorts(), '--bind', '127.0.0.1', ...this.#args], {
      stdio: 'ignore',
    });
    const tls = this.#certificates && { tls: { ca: readFileSync(this.#certificates.authority) } };
    const redis = new Redis(this.port, { retryStrategy: () => 50, maxRetriesPerRequest: null, ...tls });
    redis.on('error', () => {});
    // an answer of any kind: it may ask for a password, or still be loading
    while (
      !(await redis.ping().then(
        () => true,
        (error: Error) => /NOAUTH/.test(error.message),
      ))
    )
      await pause(50);
    redis.disconnect();
  }

  /** kill -9. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }
}

export function pause(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, time));
}

function findPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve((address as { port: number }).port));
    });
  });
}
