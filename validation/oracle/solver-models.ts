/** Models for tests of solvers: one with many contacts, one like a person with limits, dry friction and closed loops. */

/** Boxes, balls and capsules in a heap on a plane: `options` go into <option>. */
export function heap(options: string): string {
  const shapes = ['type="box" size=".1 .1 .1"', 'type="sphere" size=".11"', 'type="capsule" size=".06 .1"'];
  const bodies = Array.from({ length: 12 }, (_, n) => {
    const layer = Math.floor(n / 4);
    const x = (n % 2) * 0.19 + layer * 0.03;
    const y = (Math.floor(n / 2) % 2) * 0.19 - layer * 0.02;
    const condim = n % 5 === 4 ? 'condim="6" friction=".8 .02 .01"' : n % 5 === 3 ? 'condim="1"' : 'condim="3"';
    const shape = layer === 1 ? shapes[n % 3] : shapes[0];
    return `<body pos="${x} ${y} ${0.1 + layer * 0.205}"><freejoint/><geom ${shape} ${condim}/></body>`;
  });
  return `<mujoco><option ${options}/><default><geom friction=".8 .01 .001"/></default><worldbody>
    <geom type="plane" size="3 3 .1"/>${bodies.join('')}</worldbody></mujoco>`;
}

/** A person of capsules, standing: 27 dofs with limits, armature, dry friction, a connected hand and a coupled joint. */
export function person(options: string): string {
  const leg = (side: number): string => `<body name="thigh${side}" pos="0 ${0.1 * side} -.04">
      <joint name="hipx${side}" axis="1 0 0" range="-25 5"/><joint name="hipz${side}" axis="0 0 1" range="-60 35"/>
      <joint name="hipy${side}" axis="0 1 0" range="-110 20" frictionloss="1"/>
      <geom type="capsule" fromto="0 0 0 0 ${0.01 * side} -.34" size=".06"/>
      <body name="shin${side}" pos="0 ${0.01 * side} -.403"><joint name="knee${side}" axis="0 -1 0" range="-160 -2"/>
        <geom type="capsule" fromto="0 0 0 0 0 -.3" size=".049"/>
        <body name="foot${side}" pos="0 0 -.39"><joint name="anklex${side}" axis="1 0 .5" range="-50 50" frictionloss=".5"/>
          <joint name="ankley${side}" axis="0 1 0" range="-50 50"/>
          <geom type="capsule" fromto="-.07 -.01 0 .14 -.03 0" size=".027"/>
          <geom type="capsule" fromto="-.07 .01 0 .14 .03 0" size=".027"/></body></body></body>`;
  const arm = (side: number): string => `<body name="arm${side}" pos="0 ${0.17 * side} .06">
      <joint name="shouldera${side}" axis="2 1 ${side}" range="-85 60"/>
      <joint name="shoulderb${side}" axis="0 -1 ${side}" range="-85 60" frictionloss=".3"/>
      <geom type="capsule" fromto="0 0 0 .16 ${0.16 * side} -.16" size=".04"/>
      <body name="lower${side}" pos=".18 ${0.18 * side} -.18"><joint name="elbow${side}" axis="0 -1 ${side}" range="-90 50"/>
        <geom type="capsule" fromto=".01 ${-0.01 * side} .01 .17 ${-0.17 * side} .17" size=".031"/>
        <geom name="hand${side}" type="sphere" size=".04" pos=".18 ${-0.18 * side} .18"/></body></body>`;
  return `<mujoco><compiler angle="degree"/><option ${options}/>
  <default><joint damping=".2" stiffness="1" armature=".01"/><geom condim="3" friction=".7"/></default>
  <worldbody><geom type="plane" size="3 3 .1"/>
    <body name="torso" pos="0 0 1.282"><freejoint name="root"/>
      <geom type="capsule" fromto="0 -.07 0 0 .07 0" size=".07"/><geom type="sphere" pos="0 0 .19" size=".09"/>
      <body name="waist" pos="-.01 0 -.26"><joint name="turn" axis="0 0 1" range="-45 45"/>
        <joint name="bow" axis="0 1 0" range="-75 30"/>
        <geom type="capsule" fromto="0 -.06 0 0 .06 0" size=".06"/>
        <body name="pelvis" pos="0 0 -.165"><joint name="tilt" axis="1 0 0" range="-35 35"/>
          <geom type="capsule" fromto="-.02 -.07 0 -.02 .07 0" size=".09"/>${leg(1)}${leg(-1)}</body></body>
      ${arm(1)}${arm(-1)}</body></worldbody>
  <contact><exclude body1="waist" body2="thigh1"/><exclude body1="waist" body2="thigh-1"/></contact>
  <equality><connect body1="lower1" body2="lower-1" anchor=".18 -.18 .18"/>
    <joint joint1="anklex1" joint2="anklex-1" polycoef="0 1 0 0 0"/></equality></mujoco>`;
}

/** Three stacks of three boxes, apart: three islands. */
export function stacks(options: string): string {
  const bodies = [0, 1, 2].flatMap((x) =>
    [0, 1, 2].map(
      (n) =>
        `<body pos="${x} ${0.01 * n} ${0.1 + 0.201 * n}"><freejoint/><geom type="box" size=".1 .1 .1" mass="${1 + x + n}"/></body>`,
    ),
  );
  return `<mujoco><option ${options}/><worldbody><geom type="plane" size="5 5 .1"/>${bodies.join('')}</worldbody></mujoco>`;
}
