// nexdyn sweep examples/sweeps/arch.mjs: how thin can a stone arch be? A plan as a module: it computes the blocks of each thickness.

/** Blocks of a half circle of mean radius 1 m that stand loose on each other. */
const BLOCKS = 15;
const DEPTH = 0.14;
const THICKNESSES = Array.from({ length: 17 }, (_, n) => Math.round(1000 * (0.07 + 0.005 * n)) / 1000);

const meshes = [];
const bodies = [];
for (let block = 0; block < BLOCKS; block++) {
  const sides = [block, block + 1].map((side) => (Math.PI * side) / BLOCKS);
  const middle = (sides[0] + sides[1]) / 2;
  const center = [Math.cos(middle), 0, Math.sin(middle)];
  for (const thickness of THICKNESSES) {
    const corners = [-DEPTH, DEPTH].flatMap((y) =>
      sides.flatMap((angle) =>
        [1 - thickness / 2, 1 + thickness / 2].flatMap((radius) => [
          radius * Math.cos(angle) - center[0],
          y,
          radius * Math.sin(angle) - center[2],
        ]),
      ),
    );
    meshes.push({ name: nameMesh(block, thickness), vertices: corners });
  }
  bodies.push({
    name: `block${block}`,
    position: center,
    joints: [{ kind: 'free' }],
    shapes: [{ kind: 'convexMesh', name: `stone${block}`, mesh: nameMesh(block, 0.15), density: 2000, friction: 1 }],
  });
}

function nameMesh(block, thickness) {
  return `block ${block} of ${thickness}`;
}

export const plan = {
  format: 'nexdyn-sweep',
  version: 1,
  name: 'The thinnest arch that stands',
  scene: {
    format: 'nexdyn-scene',
    version: 1,
    name: 'Arch',
    options: { timestep: 0.004, mujoco: { cone: 'elliptic', impedanceRatio: 10 } },
    meshes,
    shapes: [{ kind: 'plane', name: 'ground', friction: 1 }],
    bodies,
  },
  seconds: 3,
  every: 25,
  formulations: ['mujoco', 'sap', 'ccp', 'ipc'],
  axes: [
    {
      kind: 'zip',
      parameters: [
        { name: 'thickness', values: THICKNESSES },
        ...bodies.map((_, block) => ({
          name: `mesh${block}`,
          path: `shapes.stone${block}.mesh`,
          values: THICKNESSES.map((thickness) => nameMesh(block, thickness)),
        })),
      ],
    },
  ],
  measure: {
    sinks: 'first(bodies.block7.position.z) - last(bodies.block7.position.z)',
    stands: 'bodies.block7.position.z > 0.95',
    shouldStand: 'thickness > 0.1075',
  },
  stop: [{ when: 'bodies.block7.position.z < 0.9', name: 'fallen' }],
};
