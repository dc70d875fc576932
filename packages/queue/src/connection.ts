/** Connections to Redis by a URL: `redis://user:password@host:port/database`, `rediss://` with TLS. */
import { NexdynError } from '@nexdyn/engine';
import { Redis } from 'ioredis';

/** A password that must not show in lists of processes stands here instead of in the URL. */
export const PASSWORD_VARIABLE = 'NEXDYN_QUEUE_PASSWORD';

/** How long the first connection may take, ms. */
const CONNECT_TIME = 5000;
/** A server that says nothing for so long while it owes an answer is gone, ms; longer than any blocking command. */
const SILENCE = 15_000;
/** Longest time between two attempts to connect again, ms. */
const LONGEST_PAUSE = 2000;

/** Whoever wants to end waits so long for a connection that is lost, ms. */
const FAREWELL = 2000;

/** A connection that was made once and is made again whenever it is lost. */
export class QueueConnection {
  readonly redis: Redis;
  /** The URL without its password. */
  readonly place: string;
  #isClosed = false;

  private constructor(redis: Redis, place: string) {
    this.redis = redis;
    this.place = place;
  }

  /** Connects; throws where Redis is not there, or does not let us in. `onChange` hears of later losses and returns. */
  static async open(url: string, onChange: (isConnected: boolean) => void = () => {}): Promise<QueueConnection> {
    const place = hidePassword(url);
    let wasReady = false;
    let failure: Error | undefined;
    const redis = new Redis(url, {
      lazyConnect: true,
      connectTimeout: CONNECT_TIME,
      socketTimeout: SILENCE,
      keepAlive: 10_000,
      // commands wait for the connection to return
      maxRetriesPerRequest: null,
      retryStrategy: (attempt) => (wasReady ? Math.min(100 * attempt, LONGEST_PAUSE) : null),
      ...readPassword(url),
    });
    redis.on('error', (error: Error) => {
      failure = error;
    });
    try {
      await redis.connect();
      await redis.ping();
    } catch (error) {
      redis.disconnect();
      throw explainFailure(failure ?? (error as Error), place);
    }
    wasReady = true;
    let isConnected = true;
    const tell = (now: boolean) => () => {
      if (now === isConnected) return;
      isConnected = now;
      if (!connection.#isClosed) onChange(now);
    };
    const connection = new QueueConnection(redis, place);
    redis.on('close', tell(false));
    redis.on('ready', tell(true));
    return connection;
  }

  /** Another connection of the same kind, for commands that wait. */
  duplicate(): Redis {
    const redis = this.redis.duplicate({ lazyConnect: false });
    // losses are told by the first
    redis.on('error', () => {});
    return redis;
  }

  /** Ends where the connection is lost after `signal` and does not return soon: commands would wait for ever. */
  waitForLoss(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const watch = (): void => {
        let lostAt = Number.NaN;
        const timer = setInterval(() => {
          if (this.redis.status === 'ready') lostAt = Number.NaN;
          else if (Number.isNaN(lostAt)) lostAt = performance.now();
          const isLost = performance.now() - lostAt > FAREWELL;
          if (isLost || this.#isClosed) clearInterval(timer);
          if (isLost) resolve();
        }, 100);
      };
      if (signal.aborted) watch();
      else signal.addEventListener('abort', watch, { once: true });
    });
  }

  close(): void {
    this.#isClosed = true;
    this.redis.disconnect();
  }
}

/** Checks a URL and leaves its password out. */
function hidePassword(url: string): string {
  let parsed: URL | undefined;
  try {
    parsed = new URL(url);
  } catch {
    // told below
  }
  if (!parsed || !/^rediss?:$/.test(parsed.protocol) || parsed.hostname === '') {
    throw new NexdynError(
      'invalid-argument',
      `'${parsed ? `${parsed.protocol}//…` : url}' is not the address of a queue`,
      {
        hint: 'give a URL as in redis://host:6379 or rediss://user:password@host:6380/0',
      },
    );
  }
  const user = parsed.username === '' ? '' : `${parsed.username}@`;
  return `${parsed.protocol}//${user}${parsed.host}${parsed.pathname === '/' ? '' : parsed.pathname}`;
}

function readPassword(url: string): { password?: string } {
  const password = process.env[PASSWORD_VARIABLE];
  return new URL(url).password === '' && password ? { password } : {};
}

function explainFailure(error: Error, place: string): NexdynError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (/NOAUTH/.test(message)) {
    return new NexdynError('connection-failed', `Redis at ${place} needs a password`, {
      hint: `put it into the URL (redis://user:password@host) or into the variable ${PASSWORD_VARIABLE}`,
    });
  }
  if (/WRONGPASS|invalid password|without any password/i.test(message)) {
    return new NexdynError('connection-failed', `Redis at ${place} refuses the user or the password`, {
      hint: 'check both in the URL',
    });
  }
  if (/ssl|tls|certificate|EPROTO|wrong version number/i.test(`${message} ${code}`)) {
    return new NexdynError('connection-failed', `no secure connection to ${place}: ${message}`, {
      hint: 'rediss:// is for servers with TLS, redis:// for others; NODE_EXTRA_CA_CERTS names the certificate of your own authority',
    });
  }
  return new NexdynError('connection-failed', `there is no Redis at ${place} (${code || message})`, {
    hint: 'start redis-server there, or check host and port; with TLS the URL begins with rediss://',
  });
}
