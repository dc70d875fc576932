/** The supported elements of URDF; others are listed with their place and their effect. */
import type { UnsupportedItem } from '../loaded-scene.ts';
import type { XmlElement } from '../xml/xml.ts';
import { placeOf } from './attribute.ts';

type Affects = UnsupportedItem['affects'];

/** Attributes and children that are read, by element. */
const SUPPORTED: Record<string, { attributes?: string[]; children?: string[] }> = {
  robot: {
    attributes: ['name', 'version'],
    children: ['link', 'joint', 'material', 'mujoco', 'transmission', 'ros2_control'],
  },
  link: { attributes: ['name'], children: ['inertial', 'visual', 'collision'] },
  inertial: { children: ['origin', 'mass', 'inertia'] },
  mass: { attributes: ['value'] },
  inertia: { attributes: ['ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz'] },
  visual: { attributes: ['name'], children: ['origin', 'geometry', 'material'] },
  collision: { attributes: ['name'], children: ['origin', 'geometry', 'material'] },
  origin: { attributes: ['xyz', 'rpy'] },
  geometry: { children: ['box', 'sphere', 'cylinder', 'capsule', 'mesh'] },
  box: { attributes: ['size'] },
  sphere: { attributes: ['radius'] },
  cylinder: { attributes: ['radius', 'length'] },
  capsule: { attributes: ['radius', 'length'] },
  mesh: { attributes: ['filename', 'scale'] },
  material: { attributes: ['name'], children: ['color'] },
  color: { attributes: ['rgba'] },
  joint: {
    attributes: ['name', 'type'],
    children: ['origin', 'parent', 'child', 'axis', 'limit', 'dynamics', 'mimic'],
  },
  parent: { attributes: ['link'] },
  child: { attributes: ['link'] },
  axis: { attributes: ['xyz'] },
  limit: { attributes: ['lower', 'upper', 'effort'] },
  dynamics: { attributes: ['damping', 'friction'] },
  mimic: { attributes: ['joint', 'multiplier', 'offset'] },
  mujoco: { children: ['compiler'] },
  compiler: {
    attributes: ['meshdir', 'strippath', 'discardvisual', 'fusestatic', 'balanceinertia', 'boundmass', 'boundinertia'],
  },
};

/** Hints about some unsupported elements. */
const KNOWN: Record<string, { affects: Affects; message: string }> = {
  'limit velocity': { affects: 'physics', message: 'Joint speeds are not limited.' },
  'limit acceleration': { affects: 'physics', message: 'Joint accelerations are not limited.' },
  'limit jerk': { affects: 'physics', message: 'Joint jerks are not limited.' },
  safety_controller: { affects: 'physics', message: 'Soft limits of a controller are not applied.' },
  gazebo: { affects: 'physics', message: 'Settings of Gazebo are not read.' },
  contact: { affects: 'physics', message: 'Contact parameters of this form are not read.' },
  calibration: { affects: 'sensor', message: 'Reference positions of encoders are not read.' },
  sensor: { affects: 'sensor', message: 'Sensors are not read.' },
  texture: { affects: 'visual', message: 'Textures are not drawn.' },
};

/** Lists every element and attribute below `element` that is not read. */
export function listUnsupported(root: XmlElement): UnsupportedItem[] {
  const items: UnsupportedItem[] = [];
  const pending: { element: XmlElement; affects: Affects }[] = [{ element: root, affects: 'physics' }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { element, affects } = next;
    const { attributes = [], children = [] } = SUPPORTED[element.name] ?? {};
    for (const name of element.attributes.keys()) {
      if (attributes.includes(name) || /^xmlns(:|$)/.test(name)) continue;
      const known = KNOWN[`${element.name} ${name}`];
      items.push({
        ...placeOf(element, name),
        element: element.name,
        attribute: name,
        affects: known?.affects ?? affects,
        message: known?.message ?? `The attribute '${name}' of <${element.name}> is not read.`,
      });
    }
    for (const child of element.children) {
      const inside = ['visual', 'material'].includes(child.name) ? 'visual' : affects;
      // read and listed in transmission.ts
      if (children.includes(child.name) && /^(transmission|ros2_control)$/.test(child.name)) continue;
      if (children.includes(child.name)) {
        pending.push({ element: child, affects: inside });
        continue;
      }
      const known = KNOWN[child.name];
      items.push({
        ...placeOf(child),
        element: child.name,
        affects: known?.affects ?? inside,
        message: known?.message ?? `<${child.name}> inside <${element.name}> is not read.`,
      });
    }
  }
  return items.sort((a, b) => a.line - b.line || a.column - b.column);
}
