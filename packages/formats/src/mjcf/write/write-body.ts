/** <body> with its joints and inertia. */
import type { Body, Inertia, Joint, Model } from '@nexdyn/engine';
import type { Unwritten } from './unwritten.ts';
import { writeCamera, writeLight } from './write-pictures.ts';
import { type ShapeWriter, writeSite } from './write-shape.ts';
import { element, type WrittenElement, writePolynomial } from './xml-element.ts';

const JOINT_FIELDS =
  `kind name stiffness stiffnessPowers damping dampingPowers armature frictionLoss springDamper actuatorForceRange actuatorGravityCompensation mujoco
  anchor axis reference springReference limit`.split(/\s+/);

/** Writes the tree of one scene. */
export class BodyWriter {
  readonly #shapes: ShapeWriter;
  readonly #unwritten: Unwritten;
  readonly #compile: () => Model;
  #number = 0;

  /** @param compile the model of the scene, asked for where a body weighs by a shape that is not written */
  constructor(shapes: ShapeWriter, unwritten: Unwritten, compile: () => Model) {
    this.#shapes = shapes;
    this.#unwritten = unwritten;
    this.#compile = compile;
  }

  /** A body and its children; bodies are counted in depth-first order, the world is 0. */
  write(body: Body, path: string): WrittenElement {
    const number = ++this.#number;
    this.#unwritten.check(
      body,
      `name position orientation joints shapes sites cameras lights inertia mocap gravityCompensation sleep bodies`.split(
        ' ',
      ),
      path,
    );
    const shapes = (body.shapes ?? []).map((shape, i) => this.#shapes.write(shape, `${path}.shapes[${i}]`));
    // nor does MuJoCo weigh the solids of plugins by their volume
    const isWhole = shapes.every((shape) => shape !== undefined && shape.attributes.type !== 'sdf');
    const inertial = body.inertia
      ? writeInertia(body.inertia)
      : isWhole
        ? undefined
        : writeCompiledInertia(this.#compile(), number);
    return element(
      'body',
      {
        name: body.name,
        pos: body.position,
        quat: body.orientation,
        mocap: body.mocap,
        gravcomp: body.gravityCompensation,
        sleep: body.sleep,
      },
      [
        ...(inertial ? [inertial] : []),
        ...(body.joints ?? []).map((joint, i) => this.#writeJoint(joint, `${path}.joints[${i}]`)),
        ...shapes.filter((shape) => shape !== undefined),
        ...(body.sites ?? []).map((site, i) => writeSite(site, `${path}.sites[${i}]`, this.#unwritten)),
        ...(body.cameras ?? []).map(writeCamera),
        ...(body.lights ?? []).map(writeLight),
        ...(body.bodies ?? []).map((child, i) => this.write(child, `${path}.bodies[${i}]`)),
      ],
    );
  }

  #writeJoint(joint: Joint, path: string): WrittenElement {
    this.#unwritten.check(joint, JOINT_FIELDS, path);
    if (joint.springDamper && joint.damping)
      this.#unwritten.add(`${path}.damping`, 'MJCF has no damping beside springDamper');
    const { mujoco = {} } = joint;
    const isTurning = joint.kind === 'hinge' || joint.kind === 'slide';
    const hinged = isTurning ? joint : undefined;
    const placed = joint.kind === 'free' ? undefined : joint;
    return element('joint', {
      name: joint.name,
      type: joint.kind,
      pos: placed?.anchor,
      axis: hinged?.axis,
      range: placed?.limit?.range,
      limited: placed?.limit ? true : undefined,
      margin: placed?.limit?.margin,
      ref: hinged?.reference,
      springref: hinged?.springReference,
      stiffness: writePolynomial(joint.stiffness, joint.stiffnessPowers),
      damping: writePolynomial(joint.damping, joint.dampingPowers),
      armature: joint.armature,
      frictionloss: joint.frictionLoss,
      springdamper: joint.springDamper,
      actuatorfrcrange: joint.actuatorForceRange,
      actuatorgravcomp: joint.actuatorGravityCompensation,
      solreflimit: mujoco.solrefLimit,
      solimplimit: mujoco.solimpLimit,
      solreffriction: mujoco.solrefFriction,
      solimpfriction: mujoco.solimpFriction,
    });
  }
}

function writeInertia(inertia: Inertia): WrittenElement {
  const { mass, center = [0, 0, 0] } = inertia;
  if (inertia.kind === 'tensor') return element('inertial', { pos: center, mass, fullinertia: inertia.tensor });
  return element('inertial', { pos: center, quat: inertia.orientation, mass, diaginertia: inertia.moments });
}

/** What the shapes that are not written weigh is part of it. */
function writeCompiledInertia({ body }: Model, number: number): WrittenElement | undefined {
  const mass = body.mass[number]!;
  if (mass === 0) return undefined;
  return element('inertial', {
    pos: [...body.inertiaCenter.subarray(3 * number, 3 * number + 3)],
    quat: [...body.inertiaOrientation.subarray(4 * number, 4 * number + 4)],
    mass,
    diaginertia: [...body.inertiaMoments.subarray(3 * number, 3 * number + 3)],
  });
}
