import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';

const FOLDER = import.meta.dirname;
const NAMES = readdirSync(FOLDER).filter((name) => /^\d\d-.*\.ts$/.test(name));

/** What an example prints. */
async function runExample(name: string): Promise<string[]> {
  const lines: string[] = [];
  const spy = vi.spyOn(console, 'log').mockImplementation((text) => void lines.push(...String(text).split('\n')));
  try {
    await import(join(FOLDER, name));
  } finally {
    spy.mockRestore();
  }
  return lines;
}

/** What each example must show. */
const EXPECTATIONS: Record<string, (lines: string[]) => void> = {
  '01-hello.ts': (lines) => {
    // a rod that falls from level swings down through pi/2; its start follows angle = 3 g t² / (4 l) within 10 %
    const angles = lines.map((line) => Number(/angle (-?[\d.]+) rad/.exec(line)?.[1]));
    expect(angles).toHaveLength(5);
    expect(angles[0]!).toBeGreaterThan(0.5);
    expect(angles.every((angle) => angle > 0 && angle < Math.PI + 0.01)).toBe(true);
  },
  '02-load-mjcf.ts': (lines) => {
    expect(lines[0]).toMatch(/^slider\.xml:6:\d+ .*/);
    expect(lines.at(-1)).toBe('after half a period: -1.00 m/s');
  },
  '03-snapshot.ts': (lines) => expect(lines).toEqual(['same hash']),
  '04-record.ts': (lines) => {
    const rows = lines.filter((line) => /^[\d.]/.test(line)).map((line) => line.split(',').map(Number));
    expect(rows).toHaveLength(11);
    // semi-implicit Euler falls g h² n (n + 1) / 2
    rows.forEach(([time, height], n) => {
      expect(time!).toBeCloseTo(0.01 * n, 12);
      expect(height!).toBeCloseTo(10 - (9.81 * 0.01 ** 2 * n * (n + 1)) / 2, 10);
    });
  },
  '05-errors.ts': (lines) => expect(lines[0]).toMatch(/^[a-z-]+ in robot\.xml, line 3: ./),
  '06-contacts.ts': (lines) => {
    const corners = lines.filter((line) => line.startsWith('floor and box'));
    expect(corners).toHaveLength(4);
    for (const line of corners) expect(line).toMatch(/ at -?0\.2000 -?0\.2000 -0\.0005: gap -1\.000 mm$/);
    // the crate ends at x = 0.2 and z = 0.399, the ball begins at z = 0.9
    expect(lines.slice(4)).toEqual([
      'ray: box after 1.800 m',
      'closest: 0.501 m, from height 0.399 to 0.900 m',
      'in the region: sphere',
    ]);
  },
  '07-formulations.ts': (lines) => {
    const rows = lines.map((line) => /^(\w+): creeps ([\d.-]+) mm\/s, sinks ([\d.]+) mm/.exec(line)!);
    expect(rows.map((row) => row[1])).toEqual(['mujoco', 'sap', 'ccp', 'ipc']);
    const [mujoco, sap, ccp, ipc] = rows.map((row) => ({ creep: Number(row[2]), depth: Number(row[3]) }));
    // docs/mujoco.md: elliptic cones and an impedance ratio of 100
    expect(mujoco!.creep).toBeLessThan(0.02);
    // docs/sap.md: slip in stiction is at most μ σ g h = 0.5 · 1e-3 · 9.81 · 2 ms
    expect(sap!.creep).toBeLessThan(1000 * 0.5 * 1e-3 * 9.81 * 0.002);
    // rigid contact under Coulomb friction neither creeps nor sinks beyond what is printed
    expect(ccp).toEqual({ creep: 0, depth: 0 });
    // friction is smooth below 1 mm/s, and surfaces never meet
    expect(ipc!.creep).toBeLessThan(1);
    expect(ipc!.depth).toBe(0);
  },
  '08-ipc.ts': (lines) => {
    expect(lines[0]).toBe('mujoco: through the wall');
    expect(lines[1]).toMatch(/^ipc: stopped by the wall, never nearer than [\d.]+ mm$/);
  },
  '09-batch.ts': (lines) => {
    expect(lines).toHaveLength(5);
    for (const line of lines.slice(0, 4)) {
      const [, , slid, truth] = /^friction ([\d.]+): rest after \d+ steps, ([\d.]+) m of ([\d.]+) m$/.exec(line)!;
      // a step takes the velocity of its end: v h / 2 less, and what is printed is rounded
      expect(Math.abs(Number(slid) - Number(truth))).toBeLessThanOrEqual(0.0021);
    }
    expect(lines[4]).toBe('0 failed');
  },
  '10-viewers.ts': (lines) => {
    expect(lines[0]).toMatch(/^domino\.mcap: \d+ kB, domino\.glb: \d+ kB$/);
    expect(lines[1]).toBe('fallen: domino0, domino1, domino2, domino3, domino4');
  },
  '11-soft.ts': (lines) => {
    const [, sag, theory] = /sags by ([\d.]+) mm, beam theory says ([\d.]+) mm/.exec(lines[0]!)!;
    // w L⁴ / (8 E I) = 15.07 mm; four linear tetrahedra over the height bend too little, and never too much
    expect(Number(theory)).toBeCloseTo(15.1, 1);
    expect(Number(sag)).toBeGreaterThan(0.8 * Number(theory));
    expect(Number(sag)).toBeLessThan(1.05 * Number(theory));
  },
  '12-control.ts': (lines) => {
    // six seconds after the push e^(−2 · 5.9) of it is left
    expect(lines[0]).toMatch(/^after 10 s: cart at -?0\.00 m, pole at -?0\.000 rad$/);
    // 3 N for 0.1 s turn the pole by J l/(I) = 0.3 · 0.5/0.0583 = 2.6 rad/s at most; it never comes near falling
    expect(Number(/off than ([\d.]+) rad/.exec(lines[1]!)![1])).toBeLessThan(0.5);
  },
  '13-contact-forces.ts': (lines) => {
    // friction holds the push up to μ m g = 9.81 N; beyond it v = (12 − 9.81) N/2 kg · 0.5 s
    expect(lines).toEqual([
      'push 5 N: friction 5.00 N, floor carries 19.62 N, stick, 0.00 m/s after 0.5 s',
      'push 9 N: friction 9.00 N, floor carries 19.62 N, stick, 0.00 m/s after 0.5 s',
      'push 12 N: friction 9.81 N, floor carries 19.62 N, slide, 0.55 m/s after 0.5 s',
    ]);
  },
  '14-robot.ts': (lines) => {
    expect(lines.slice(0, 3)).toEqual([
      'line 13: Joint speeds are not limited. (physics)',
      'line 17: Joint speeds are not limited. (physics)',
      'needed: 9.32 and 1.47 N m',
    ]);
    // servos give way by load over stiffness, 0.02 rad, which changes the load by 2e-4 of itself
    const torques = lines.slice(3).map((line) => /^(\w+): ([\d.]+) and ([\d.]+) N m$/.exec(line)!);
    expect(torques.map(([, formulation]) => formulation)).toEqual(['mujoco', 'sap', 'ccp', 'ipc']);
    for (const [, , shoulder, elbow] of torques) {
      expect(Math.abs(Number(shoulder) - 9.32)).toBeLessThan(0.011);
      expect(Math.abs(Number(elbow) - 1.47)).toBeLessThan(0.011);
    }
  },
  '15-spring-network.ts': (lines) => {
    // 2π/(2 √(k/m) sin(π/8)) = 0.41049 s; passages are found between steps to (h ω)² of a step
    expect(lines.map((line) => line.split(':')[0])).toEqual(['mujoco', 'sap', 'ccp', 'ipc']);
    for (const line of lines) {
      const [, period, theory] = /period ([\d.]+) s, theory ([\d.]+) s/.exec(line)!;
      expect(Number(theory)).toBeCloseTo(0.4105, 4);
      expect(Math.abs(Number(period) - Number(theory))).toBeLessThan(2e-4);
    }
  },
  '16-magnet.ts': (lines) => {
    expect(lines[0]).toBe("term 'repulsion': derivatives agree with finite differences");
    const rows = lines.slice(3).map((line) => /^(\w+): floats at ([\d.]+) m, .*up by ([\d.]+) N$/.exec(line)!);
    expect(rows.map((row) => row[1])).toEqual(['mujoco', 'sap', 'ccp', 'ipc']);
    for (const [, , height, force] of rows) {
      // s/z² = m g
      expect(Number(height)).toBeCloseTo(Math.sqrt(0.04 / 2), 5);
      expect(Number(force)).toBeCloseTo(2, 4);
    }
  },
  '17-throw.ts': (lines) => {
    const misses = lines.map((line) => Number(/misses by (\S+) m/.exec(line)?.[1]));
    expect(misses[0]!).toBeGreaterThan(0.05);
    expect(misses.at(-1)!).toBeLessThan(1e-6);
  },
  '18-fit-toss.ts': (lines) => {
    const [, value, error] = /: ([\d.]+) ± ([\d.]+) /.exec(lines[0]!)!.map(Number);
    // the motion was made with 0.35
    expect(Math.abs(value! - 0.35)).toBeLessThan(3 * error! + 1e-3);
    expect(error!).toBeLessThan(0.01);
  },
  '19-swing-up.ts': (lines) => {
    const [, angle] = /stands at ([\d.]+)°/.exec(lines[0]!)!;
    expect(Math.abs(Number(angle) - 180)).toBeLessThan(5);
    const [, most] = /came to ([\d.]+) m/.exec(lines[1]!)!;
    // the rail is used, and its end holds
    expect(Number(most)).toBeGreaterThan(0.49);
    expect(Number(most)).toBeLessThan(0.6);
  },
  '20-soft-ball.ts': (lines) => {
    expect(Number(/by ([\d.]+) mm/.exec(lines[0]!)![1])).toBeGreaterThan(5);
    expect(Number(/E = ([\d.]+) kPa/.exec(lines[1]!)![1])).toBeCloseTo(60, 1);
  },
  '21-sensors.ts': (lines) => {
    expect(lines.length).toBeGreaterThanOrEqual(4);
    for (const line of lines) {
      const [, taxels, pair, wrist] = /taxels ([\d.]+) N, pair (-[\d.]+) N, wrist (-[\d.]+) N/.exec(line)!.map(Number);
      // taxels carry what the pair does; the wrist pushes down with that, less the weight of the hand
      expect(taxels! + pair!).toBeCloseTo(0, 9);
      expect(taxels! + wrist!).toBeCloseTo(0.5 * 9.81, 0);
      expect(taxels!).toBeGreaterThan(20);
    }
  },
  '22-billiard.ts': (lines) => {
    expect(lines[0]).toContain('not touched');
    expect(lines.at(-1)).not.toContain('not touched');
    expect(Number(/: (\S+) m from/.exec(lines.at(-1)!)![1])).toBeLessThan(1e-3);
  },
};

describe('examples', () => {
  test('each has an expectation', () => {
    expect(NAMES).toEqual(Object.keys(EXPECTATIONS));
  });

  test.each(NAMES)('%s', async (name) => {
    EXPECTATIONS[name]!(await runExample(name));
  });

  test.each([
    ['01-hello.ts', 'README.md'],
    ['06-contacts.ts', 'docs/collision.md'],
  ])('%s is the one in %s', (name, page) => {
    const text = readFileSync(join(FOLDER, '..', page), 'utf8');
    expect(text).toContain(`\`\`\`ts\n${readFileSync(join(FOLDER, name), 'utf8')}\`\`\``);
  });
});
