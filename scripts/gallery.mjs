// Writes the scenes of the gallery, scenes/*.json, through the engine's builder. With --check it only compares.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { formatJson } from './compact-json.mjs';
import { chainOfLinks, gearPair, nutOnBolt, pegInHole } from './gallery/assembly.mjs';
import { linkedRings, thinTray } from './gallery/barrier.mjs';
import { conveyor, gripper, hillTumble, incline, rollingSpheres, touchingShapes } from './gallery/friction.mjs';
import { cradle, ragdoll, wreckingBall } from './gallery/impact.mjs';
import { robotArm } from './gallery/robot-arm.mjs';
import { cantilever, pressurePlate, softGripper, softPress } from './gallery/soft.mjs';
import { arch, boxStack, dominoes, pyramid } from './gallery/stacking.mjs';
import { cartPole, doublePendulum, dzhanibekovNut, spinningTop, swingingChain } from './gallery/swinging.mjs';
import { capstan, drapedBall } from './gallery/thin.mjs';
import { putGeneratedFile, root } from './generated-file.mjs';

const gallery = {
  arch,
  'box-stack': boxStack,
  cantilever,
  capstan,
  'cart-pole': cartPole,
  'chain-of-links': chainOfLinks,
  conveyor,
  'domino-row': dominoes,
  'double-pendulum': doublePendulum,
  'draped-ball': drapedBall,
  'dzhanibekov-nut': dzhanibekovNut,
  'gear-pair': gearPair,
  gripper,
  'hill-tumble': hillTumble,
  incline,
  'linked-rings': linkedRings,
  'newton-cradle': cradle,
  'nut-on-bolt': nutOnBolt,
  'peg-in-hole': pegInHole,
  'pressure-plate': pressurePlate,
  pyramid,
  ragdoll,
  'robot-arm': robotArm,
  'rolling-spheres': rollingSpheres,
  'soft-gripper': softGripper,
  'soft-press': softPress,
  'spinning-top': spinningTop,
  'swinging-chain': swingingChain,
  'thin-tray': thinTray,
  'touching-shapes': touchingShapes,
  'wrecking-ball': wreckingBall,
};

mkdirSync(join(root, 'scenes'), { recursive: true });
for (const [name, build] of Object.entries(gallery)) {
  const { format, version, ...rest } = build();
  const linked = { $schema: '../docs/schema/scene.schema.json', format, version, ...rest };
  putGeneratedFile(join(root, 'scenes', `${name}.json`), formatJson(roundNumbers(linked)));
}

/** The same value with numbers of twelve digits: 0.1 + 0.2 reads 0.3. */
function roundNumbers(value) {
  return JSON.parse(JSON.stringify(value), (_, part) =>
    typeof part === 'number' ? Number(part.toPrecision(12)) : part,
  );
}
