/** A proxy that can cut the network: connections are closed, or stay open and say nothing. */
import { connect, createServer, type Server, type Socket } from 'node:net';

export class DroppingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isSilent = false;
  port = 0;

  constructor(target: number) {
    this.#server = createServer((near) => {
      const far = connect(target, '127.0.0.1');
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => {
          this.#sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
      }
      const pass = (to: Socket) => (data: Buffer) => {
        if (!this.#isSilent) to.write(data);
      };
      near.on('data', pass(far));
      far.on('data', pass(near));
    });
  }

  static async start(target: number): Promise<DroppingProxy> {
    const proxy = new DroppingProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    proxy.port = (proxy.#server.address() as { port: number }).port;
    return proxy;
  }

  /** Nothing passes, and nobody is told. */
  silence(): void {
    this.#isSilent = true;
  }

  /** Closes all connections; new ones work. */
  mend(): void {
    this.#isSilent = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.mend();
    this.#server.close();
  }
}
