/** A certificate authority of a test's own and a server certificate for this machine, made by openssl. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files of an authority and of a server that it has signed. */
export interface TestCertificates {
  authority: string;
  certificate: string;
  key: string;
}

/** Whether there is an openssl. */
export const hasOpenssl: boolean = spawnSync('openssl', ['version']).status === 0;

/** Makes certificates in a folder, valid for a day. */
export function createCertificates(folder: string): TestCertificates {
  const at = (name: string): string => join(folder, name);
  const run = (...args: string[]): void => {
    const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`openssl ${args[0]}: ${stderr}`);
  };
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  run(
    'req',
    '-x509',
    ...curve,
    '-days',
    '1',
    '-subj',
    '/CN=test authority',
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.pem'),
  );
  run('req', ...curve, '-subj', '/CN=localhost', '-keyout', at('server.key'), '-out', at('server.csr'));
  writeFileSync(at('names.txt'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  const signing = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-extfile', at('names.txt')];
  run('x509', '-req', '-in', at('server.csr'), ...signing, '-days', '1', '-out', at('server.pem'));
  return { authority: at('ca.pem'), certificate: at('server.pem'), key: at('server.key') };
}
