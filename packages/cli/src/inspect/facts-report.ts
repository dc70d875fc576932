import { describeRepair } from '@nexdyn/engine/geometry';
import { formatNumber } from '../run/summary.ts';
import { escapeName } from '../terminal-text.ts';
import type { BodyFacts, SceneFacts, SoftBodyFacts } from './scene-facts.ts';

/** The facts for people: sizes, options, masses and the tree. */
export function formatFacts(facts: SceneFacts): string {
  const { options } = facts;
  const sizes = [
    'nq',
    'nv',
    'nbody',
    'njoint',
    'ngeom',
    'nsite',
    'nmesh',
    'nu',
    'na',
    'ntendon',
    'neq',
    'nkey',
    'nsoft',
  ] as const;
  const rows: [string, string][] = [
    ['scene', `${facts.name || '(unnamed)'}, ${facts.file}`],
    ['sizes', sizes.map((size) => `${size} ${facts[size]}`).join('  ')],
    ['mass', `${formatNumber(facts.totalMass)} kg`],
    ['step', `${formatNumber(options.timestep)} s, ${options.integrator}, formulation ${options.formulation}`],
    ['gravity', `${options.gravity.map(formatNumber).join(' ')} m/s²`],
  ];
  if (options.disabled.length > 0) rows.push(['off', options.disabled.join(', ')]);
  if (facts.keyframes.length > 0) rows.push(['keys', facts.keyframes.map((name, i) => name || `#${i}`).join(', ')]);
  const head = rows.map(([name, value]) => `${name.padEnd(9)}${escapeName(value)}\n`).join('');
  return `${head}\n${formatTree(facts.bodies)}${facts.softBodies.map(formatSoftBody).join('')}${formatLeftOut(facts)}`;
}

/** One line per body, indented by its depth. */
function formatTree(bodies: readonly BodyFacts[]): string {
  const depths: number[] = [];
  return bodies
    .map((body, index) => {
      const depth = body.parent < 0 ? 0 : (depths[body.parent] ?? 0) + 1;
      depths.push(depth);
      const joints = body.joints.map((joint) => (joint.name ? `${joint.kind} ${joint.name}` : joint.kind));
      const parts = [body.name || `body ${index}`, `${formatNumber(body.mass)} kg`];
      if (joints.length > 0) parts.push(joints.join(', '));
      if (body.shapes > 0) parts.push(`${body.shapes} shape${body.shapes > 1 ? 's' : ''}`);
      return `${'  '.repeat(depth)}${escapeName(parts.join('  '))}\n`;
    })
    .join('');
}

function formatSoftBody(facts: SoftBodyFacts, index: number): string {
  const { name, mass, vertices, held, tetrahedra, triangles, edges, repair } = facts;
  const elements = edges !== undefined ? `${edges} edges` : triangles !== undefined ? `${triangles} triangles` : '';
  const parts = [`${vertices} vertices${held > 0 ? ` (${held} held)` : ''}`, elements || `${tetrahedra} tetrahedra`];
  const line = [escapeName(name) || `soft body ${index}`, `${formatNumber(mass)} kg`, 'soft', ...parts].join('  ');
  return `${line}\n${repair ? `  ${describeRepair(repair)}\n` : ''}`;
}

/** How much is not supported; the items themselves are messages, not data for people to read twice. */
function formatLeftOut({ unsupported }: SceneFacts): string {
  if (unsupported.length === 0) return '\nEverything in the file is supported.\n';
  const kinds = ['physics', 'sensor', 'visual'] as const;
  const counts = kinds.map((kind) => [unsupported.filter((item) => item.affects === kind).length, kind] as const);
  const parts = counts.filter(([count]) => count > 0).map(([count, kind]) => `${count} ${kind}`);
  return `\n${unsupported.length} unsupported: ${parts.join(', ')}\n`;
}
