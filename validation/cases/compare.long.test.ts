/** `nexdyn compare` on the scenes that its page shows: numbers beside closed forms. Minutes, so not a part of `npm test`. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FormulationId, MetricName } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { captureRun } from '../../packages/cli/src/commands/captured-run.ts';

const G = 9.81;
const MODELS = process.env['NEXDYN_MODELS'] ?? fileURLToPath(new URL('../../../shared/models', import.meta.url));
const ROBOT = `${MODELS}/menagerie/google_barkour_vb/scene.xml`;
const ALL: FormulationId[] = ['mujoco', 'sap', 'ccp', 'ipc'];

interface Line {
  formulation: FormulationId;
  status: string;
  metrics: Record<MetricName, { max: number; mean: number; last: number }>;
  energy: { drift: number };
  refinement: { levels: { order: number; error: number }[] } | null;
}

async function compare(...args: string[]): Promise<Record<FormulationId, Line>> {
  const { data } = await captureRun('compare', ...args, '--json', '--quiet');
  const lines = data.trim().split('\n');
  const records = lines.map((line) => JSON.parse(line) as Line);
  return Object.fromEntries(records.map((record) => [record.formulation, record])) as Record<FormulationId, Line>;
}

test('incline: dilation gaps and creep follow the formulas', async () => {
  const { mujoco, sap, ccp, ipc } = await compare('incline');
  for (const { status } of [mujoco, sap, ccp, ipc]) expect(status).toBe('completed');
  const angle = (20 * Math.PI) / 180;
  const speed = G * (Math.sin(angle) - 0.2 * Math.cos(angle));
  expect(ccp.metrics.gap.max / (0.2 * 0.002 * speed)).toBeCloseTo(1, 1);
  expect(ccp.metrics.coneComplementarity.max).toBeLessThan(1e-6);
  expect(ccp.metrics.creep.max).toBeLessThan(1e-6);
  // the box that sticks well within its cone; the one at the limit creeps by up to ε_v
  const creep = 1e-3 * (1 - Math.sqrt(1 - Math.tan(angle) / 0.5));
  expect(ipc.metrics.creep.mean / creep).toBeCloseTo(1, 1);
  expect(ipc.metrics.creep.max).toBeLessThan(1e-3);
  expect(ipc.metrics.penetration.max).toBe(0);
  expect(sap.metrics.coneViolation.max).toBeLessThan(1e-9);
});

test('box-stack: every layer carries one box more', async () => {
  const runs = await compare('box-stack', '--refine', '0');
  for (const formulation of ALL) {
    expect(runs[formulation].status).toBe('completed');
    expect(runs[formulation].metrics.normalForce.mean / (55 * 4 * G)).toBeCloseTo(1, 1);
  }
  expect(runs.ccp.metrics.penetration.max).toBeLessThan(1e-7);
});

test('arch: it stands under all', async () => {
  const runs = await compare('arch', '--refine', '0');
  for (const formulation of ALL) expect(runs[formulation].status).toBe('completed');
  expect(Math.abs(runs.ccp.energy.drift)).toBeLessThan(1e-3);
  // softness lets it sink, gaps lift it: millimetres of a tonne
  for (const formulation of ALL) expect(Math.abs(runs[formulation].energy.drift)).toBeLessThan(20);
});

test('gripper: order one, joints within their tolerance', async () => {
  const runs = await compare('gripper');
  for (const formulation of ALL) {
    expect(runs[formulation].status).toBe('completed');
    expect(runs[formulation].refinement!.levels[0]!.order).toBeGreaterThan(0.8);
    expect(runs[formulation].refinement!.levels[0]!.order).toBeLessThan(1.2);
  }
  expect(runs.mujoco.metrics.jointDrift.max).toBe(0);
  expect(runs.ccp.metrics.jointDrift.max).toBeLessThan(1e-9);
  expect(runs.ipc.metrics.jointDrift.max).toBeLessThanOrEqual(1e-6);
});

describe.skipIf(!existsSync(ROBOT))('a quadruped of the Menagerie (needs shared/models beside the repository)', () => {
  test('its feet carry its weight', async () => {
    const runs = await compare(ROBOT, '--time', '0.5', '--refine', '0');
    for (const formulation of ['mujoco', 'sap', 'ccp'] as const) {
      expect(runs[formulation].status).toBe('completed');
      expect(runs[formulation].metrics.normalForce.mean / (14.4965 * G)).toBeGreaterThan(0.95);
      expect(runs[formulation].metrics.normalForce.mean / (14.4965 * G)).toBeLessThan(1.05);
    }
    expect(runs.ipc.metrics.penetration.max).toBe(0);
  });
});
