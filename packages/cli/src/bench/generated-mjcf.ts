/** A chain of capsules that hangs from the world at one end and starts level; hinges turn about y and z in turn. */
export function writeChain(links: number): string {
  const open = Array.from({ length: links }, (_, i) => {
    const position = i === 0 ? '0 0 0' : '0.1 0 0';
    const axis = i % 2 === 0 ? '0 1 0' : '0 0 1';
    return `<body pos="${position}"><joint type="hinge" axis="${axis}"/><geom type="capsule" fromto="0 0 0 0.1 0 0" size="0.02"/>`;
  });
  return `<mujoco model="chain${links}">
  <option timestep="0.002"><flag contact="disable"/></option>
  <default><joint damping="0.05" armature="0.001"/></default>
  <worldbody>
    ${open.join('\n    ')}
    ${'</body>'.repeat(links)}
  </worldbody>
</mujoco>
`;
}

/** Boxes of different shapes on a grid, each with six degrees of freedom. */
export function writeFreeBodies(count: number): string {
  const columns = Math.ceil(Math.sqrt(count));
  const bodies = Array.from({ length: count }, (_, i) => {
    const position = `${i % columns} ${Math.floor(i / columns)} 5`;
    const size = `0.1 ${(0.15 + 0.001 * i).toFixed(3)} 0.2`;
    return `<body pos="${position}"><freejoint/><geom type="box" size="${size}"/></body>`;
  });
  return `<mujoco model="free-bodies-${count}">
  <option timestep="0.002"><flag contact="disable"/></option>
  <worldbody>
    ${bodies.join('\n    ')}
  </worldbody>
</mujoco>
`;
}

/** Boxes that rain on a floor in a loose grid, with random orientations; after a while they lie in a heap. */
export function writeFallingBoxes(count: number): string {
  const side = Math.max(1, Math.round(Math.cbrt(count)));
  const bodies = Array.from({ length: count }, (_, i) => {
    const column = i % side;
    const row = Math.floor(i / side) % side;
    const layer = Math.floor(i / (side * side));
    const position = `${(0.24 * column).toFixed(3)} ${(0.24 * row).toFixed(3)} ${(0.3 + 0.24 * layer).toFixed(3)}`;
    return `<body pos="${position}" euler="${(37 * i) % 90} ${(53 * i) % 90} ${(71 * i) % 90}"><freejoint/><geom/></body>`;
  });
  return `<mujoco model="boxes-${count}">
  <option timestep="0.005"/>
  <size memory="200M"/>
  <default><geom type="box" size="0.07 0.06 0.05"/></default>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    ${bodies.join('\n    ')}
  </worldbody>
</mujoco>
`;
}

/** Round meshes of so many vertices in a row, each in reach of its neighbours' boxes, falling and tumbling without touching. */
export function writeFreeMeshes(count: number, vertices: number): string {
  // points on a sphere in the golden angle: all of them are corners of the hull
  const points = Array.from({ length: vertices }, (_, i) => {
    const z = 1 - (2 * i + 1) / vertices;
    const radius = Math.sqrt(1 - z * z);
    const angle = Math.PI * (3 - Math.sqrt(5)) * i;
    return [radius * Math.cos(angle), 0.8 * radius * Math.sin(angle), 0.6 * z]
      .map((x) => (0.1 * x).toFixed(6))
      .join(' ');
  });
  const bodies = Array.from(
    { length: count },
    (_, i) =>
      `<body pos="${(0.16 * i).toFixed(3)} ${(0.13 * (i % 2)).toFixed(3)} ${count}" euler="0 ${(37 * i) % 90} 0"><freejoint/><geom type="mesh" mesh="m"/></body>`,
  );
  return `<mujoco model="meshes-${count}">
  <option timestep="0.005"/>
  <asset><mesh name="m" vertex="${points.join(' ')}"/></asset>
  <worldbody>
    ${bodies.join('\n    ')}
  </worldbody>
</mujoco>
`;
}

/** Boxes in rows of `base`, `base` − 1, … 1, each on two below. */
export function writePyramid(base: number, timestep = 0.002): string {
  const bodies: string[] = [];
  for (let row = 0; row < base; row++) {
    for (let i = 0; i < base - row; i++) {
      bodies.push(writeBrick(0.22 * (i + 0.5 * row), 0.1 + 0.2 * row));
    }
  }
  return writeBricks(`pyramid-${bodies.length}`, bodies, timestep);
}

/** Rows of boxes, every other one moved by half a box. */
export function writeWall(columns: number, rows: number, timestep = 0.002): string {
  const bodies: string[] = [];
  for (let row = 0; row < rows; row++) {
    for (let i = 0; i < columns; i++) bodies.push(writeBrick(0.22 * (i + 0.5 * (row % 2)), 0.1 + 0.2 * row));
  }
  return writeBricks(`wall-${bodies.length}`, bodies, timestep);
}

/** Towers of four boxes in a row, the last one as high as boxes are left. */
export function writeTowers(count: number): string {
  const bodies = Array.from({ length: count }, (_, i) => writeBrick(0.3 * Math.floor(i / 4), 0.1 + 0.2 * (i % 4)));
  return writeBricks(`towers-${count}`, bodies);
}

function writeBrick(x: number, z: number): string {
  return `<body pos="${x.toFixed(3)} 0 ${z.toFixed(3)}"><freejoint/><geom/></body>`;
}

function writeBricks(name: string, bodies: readonly string[], timestep = 0.002): string {
  return `<mujoco model="${name}">
  <option timestep="${timestep}"/>
  <size memory="200M"/>
  <default><geom type="box" size="0.1 0.1 0.1"/></default>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    ${bodies.join('\n    ')}
  </worldbody>
</mujoco>
`;
}

/** A beam of 4 by 4 cells across and some along its length, 0.025 m each, clamped at one end. Nothing touches. */
export function writeFlexBeam(length: number): string {
  const mass = 1000 * length * 0.025 * 0.1 * 0.1;
  return `<mujoco>
  <option timestep="0.001" integrator="discrete"/>
  <size memory="200M"/>
  <worldbody>
    <flexcomp name="beam" type="grid" dim="3" count="${length + 1} 5 5" spacing="0.025 0.025 0.025" pos="0 0 1" mass="${mass}" radius="0.001">
      <elasticity young="1e5" poisson="0.3" damping="0.002"/>
      <contact contype="0" conaffinity="0" selfcollide="none"/>
      <pin gridrange="0 0 0 0 4 4"/>
    </flexcomp>
  </worldbody>
</mujoco>
`;
}
