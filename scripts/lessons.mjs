// Writes the lessons, scenes/lessons/*.json. With --check it only compares.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { formatJson } from './compact-json.mjs';
import { putGeneratedFile, root } from './generated-file.mjs';
import { frictionAngle, slideToRoll, stoppingDistance } from './lessons/friction.mjs';
import { bounce, stiffContact, timeStep, tunnelling } from './lessons/impact.mjs';
import { gyroscope, multipliers, softPress } from './lessons/mechanisms.mjs';
import { archThickness, heavyTop } from './lessons/stacks.mjs';

const lessons = {
  'friction-angle': frictionAngle,
  'stopping-distance': stoppingDistance,
  'slide-to-roll': slideToRoll,
  'bounce-height': bounce,
  'arch-thickness': archThickness,
  'heavy-load': heavyTop,
  gyroscope,
  'multiplier-joint': multipliers,
  'stiff-contact': stiffContact,
  'thin-wall': tunnelling,
  'block-stress': softPress,
  'time-step': timeStep,
};

mkdirSync(join(root, 'scenes', 'lessons'), { recursive: true });
for (const [name, build] of Object.entries(lessons)) {
  const scene = { $schema: '../../docs/schema/scene.schema.json', format: 'nexdyn-scene', version: 1, ...build() };
  const rounded = JSON.parse(JSON.stringify(scene), (_, part) =>
    typeof part === 'number' ? Number(part.toPrecision(12)) : part,
  );
  putGeneratedFile(join(root, 'scenes', 'lessons', `${name}.json`), formatJson(rounded));
}
