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
