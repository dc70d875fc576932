/** Links and joints of a URDF as a tree, every link after its parent. */

import type { XmlElement } from '../xml/xml.ts';
import { failAt, requireChild, requireText } from './attribute.ts';

export interface UrdfLink {
  name: string;
  element: XmlElement;
  /** The joint to its parent; undefined for the root. */
  joint: UrdfJoint | undefined;
}

export interface UrdfJoint {
  name: string;
  element: XmlElement;
  parent: string;
  child: string;
}

/** Links in depth-first order: the root first, children in the order of their joints. */
export function buildTree(robot: XmlElement): UrdfLink[] {
  const links = collectLinks(robot);
  const joints = collectJoints(robot, links);

  // hang every joint on its parent; a child of two joints would close a loop
  const below = new Map<string, UrdfJoint[]>([...links.keys()].map((name) => [name, []]));
  for (const joint of joints) {
    const link = links.get(joint.child)!;
    if (link.joint) {
      const reason = `the link '${joint.child}' is the child of the joints '${link.joint.name}' and '${joint.name}'`;
      failAt(joint.element, 'cyclic-tree', reason, 'a link has one parent; loops are closed by equalities, not joints');
    }
    link.joint = joint;
    below.get(joint.parent)!.push(joint);
  }

  const [root, other] = [...links.values()].filter((link) => !link.joint);
  if (!root) {
    const start = joints[0]!;
    failAt(start.element, 'cyclic-tree', 'every link is the child of another', 'one link must be the root');
  }
  if (other) {
    const reason = `the links '${root.name}' and '${other.name}' both have no parent`;
    failAt(other.element, 'invalid-joint', reason, `connect '${other.name}' to the tree by a joint`);
  }

  // walk down; links that are not reached form a cycle
  const order: UrdfLink[] = [];
  const pending = [root];
  for (let link = pending.pop(); link; link = pending.pop()) {
    order.push(link);
    for (const joint of [...below.get(link.name)!].reverse()) pending.push(links.get(joint.child)!);
  }
  if (order.length < links.size) {
    const lost = joints.find((joint) => !order.some((link) => link.name === joint.child))!;
    const reason = `the joint '${lost.name}' is part of a loop that does not hang on the root '${root.name}'`;
    failAt(lost.element, 'cyclic-tree', reason, 'let one of the joints of the loop begin at a link of the tree');
  }
  return order;
}

function collectLinks(robot: XmlElement): Map<string, UrdfLink> {
  const links = new Map<string, UrdfLink>();
  for (const element of robot.children) {
    if (element.name !== 'link') continue;
    const name = requireText(element, 'name');
    const first = links.get(name);
    if (first) failTwice(element, name, first.element);
    links.set(name, { name, element, joint: undefined });
  }
  if (links.size === 0) failAt(robot, 'missing-value', 'the robot has no links', 'add at least one <link>');
  return links;
}

function collectJoints(robot: XmlElement, links: ReadonlyMap<string, UrdfLink>): UrdfJoint[] {
  const joints = new Map<string, UrdfJoint>();
  for (const element of robot.children) {
    if (element.name !== 'joint') continue;
    const name = requireText(element, 'name');
    const first = joints.get(name);
    if (first) failTwice(element, name, first.element);
    const [parent, child] = ['parent', 'child'].map((side) => {
      const end = requireChild(element, side);
      const link = requireText(end, 'link');
      if (!links.has(link)) {
        failAt(
          end,
          'unknown-reference',
          `the ${side} '${link}' of the joint '${name}' is not a link`,
          nearest(link, links),
          'link',
        );
      }
      return link;
    }) as [string, string];
    if (parent === child)
      failAt(element, 'cyclic-tree', `the joint '${name}' connects '${parent}' to itself`, 'name two different links');
    joints.set(name, { name, element, parent, child });
  }
  return [...joints.values()];
}

function failTwice(element: XmlElement, name: string, first: XmlElement): never {
  const reason = `the ${element.name} '${name}' is already defined in line ${first.line}`;
  return failAt(element, 'duplicate-name', reason, 'give it another name', 'name');
}

function nearest(name: string, links: ReadonlyMap<string, UrdfLink>): string {
  const same = [...links.keys()].find((known) => known.toLowerCase() === name.toLowerCase());
  if (same) return `did you mean '${same}'?`;
  const known = [...links.keys()].slice(0, 5).map((link) => `'${link}'`);
  return `the links are ${known.join(', ')}${links.size > 5 ? ', ...' : ''}`;
}
