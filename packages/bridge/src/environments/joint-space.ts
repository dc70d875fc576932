/**
 * Positions and velocities of joints whatever the coordinates: learning tasks observe and set joints, `ipc` moves bodies. In body coordinates
 * a second simulation, in joint coordinates, tells where joint positions put the bodies.
 */
import { compileModel, JOINT, type Model, type Scene, Simulation } from '@nexdyn/engine';

/** Reads and sets the joints of a simulation. */
export interface JointSpace {
  readonly positions: number;
  readonly velocities: number;
  /** Joint positions of the scene at its start. */
  readonly initialPosition: Float64Array;
  /** Per body: the root of its tree. */
  readonly root: Int32Array;
  read(simulation: Simulation, q: Float64Array, v: Float64Array): void;
  /** Places a simulation that has been reset. */
  write(simulation: Simulation, q: Float64Array, v: Float64Array): void;
  /** A simulation in joint coordinates at the state of another: itself, or a twin that follows it. */
  follow(simulation: Simulation): Simulation;
  /** Forces of actuators in joint coordinates in the step after `follow`. */
  readActuatorForce(simulation: Simulation, out: Float64Array): void;
  /**
   * Forces of contacts, limits and equalities in joint coordinates in the step after `follow`. In body coordinates they are read off the
   * motion: M (v⁺ − v)/h − f, f all smooth forces.
   */
  readConstraintForce(simulation: Simulation, out: Float64Array): void;
}

/** The joints of a scene that is compiled as `model`. */
export function createJointSpace(scene: Scene, model: Model): JointSpace {
  return model.coordinates === 'joint' ? createDirect(model) : createMirrored(scene, model);
}

function createDirect({ size, initialPosition, body }: Model): JointSpace {
  return {
    positions: size.position,
    velocities: size.velocity,
    initialPosition,
    root: body.root,
    read({ state }, q, v) {
      q.set(state.position);
      v.set(state.velocity);
    },
    write({ state }, q, v) {
      state.position.set(q);
      state.velocity.set(v);
    },
    follow: (simulation) => simulation,
    readActuatorForce: ({ derived }, out) => out.set(derived.actuatorJointForce),
    readConstraintForce: ({ derived }, out) => out.set(derived.constraintForce),
  };
}

function createMirrored(scene: Scene, bodyModel: Model): JointSpace {
  const model = compileModel(scene, { formulation: 'mujoco', coordinates: 'joint' });
  const mirror = new Simulation(model);
  const { joint, size } = model;
  // free joints keep their body; the others are constraint joints, in their order, counted after the free ones
  const numbers: number[] = [];
  let constraint = bodyModel.size.joint;
  for (let j = 0; j < size.joint; j++) {
    numbers.push(joint.kind[j] === JOINT.free ? bodyModel.joint.body.indexOf(joint.body[j]!) : constraint++);
  }
  const q = new Float64Array(size.position);
  const v = new Float64Array(size.velocity);
  const after = new Float64Array(size.position);
  const change = new Float64Array(size.velocity);
  const space: JointSpace = {
    positions: size.position,
    velocities: size.velocity,
    initialPosition: model.initialPosition,
    root: model.body.root,
    read(simulation, positions, velocities) {
      for (let j = 0; j < size.joint; j++) {
        positions.set(simulation.jointPositions(numbers[j]!), joint.positionStart[j]);
        velocities.set(simulation.jointVelocities(numbers[j]!), joint.dofStart[j]);
      }
    },
    write(simulation, positions, velocities) {
      mirror.reset(null);
      mirror.state.position.set(positions);
      mirror.state.velocity.set(velocities);
      const { body } = bodyModel.joint;
      for (const b of body) simulation.setPose(b, mirror.pose(b));
      for (const b of body) simulation.setVelocity(b, mirror.velocity(b));
      let c = 0;
      for (let j = 0; j < size.joint; j++) {
        if (joint.kind[j] === JOINT.free) continue;
        simulation.state.hingeAngle[c++] = joint.kind[j] === JOINT.hinge ? positions[joint.positionStart[j]!]! : 0;
      }
    },
    follow(simulation) {
      space.read(simulation, q, v);
      mirror.reset(null);
      mirror.state.position.set(q);
      mirror.state.velocity.set(v);
      mirror.state.control.set(simulation.state.control);
      return mirror;
    },
    readActuatorForce(_, out) {
      mirror.forward();
      out.set(mirror.derived.actuatorJointForce);
    },
    readConstraintForce(simulation, out) {
      mirror.forward();
      const { smoothForce } = mirror.derived;
      space.read(simulation, after, change);
      for (let i = 0; i < v.length; i++) change[i] = (change[i]! - v[i]!) / simulation.timestep;
      multiplyMass(model, mirror.derived.massMatrix, change, out);
      for (let i = 0; i < v.length; i++) out[i]! -= smoothForce[i]!;
    },
  };
  return space;
}

/** out = M x; M is kept as its lower triangle. */
function multiplyMass({ massMatrix }: Model, values: Float64Array, x: Float64Array, out: Float64Array): void {
  const { rowStart, column } = massMatrix;
  out.fill(0);
  for (let i = 0; i < x.length; i++) {
    for (let k = rowStart[i]!; k < rowStart[i + 1]!; k++) {
      const j = column[k]!;
      out[i]! += values[k]! * x[j]!;
      if (j !== i) out[j]! += values[k]! * x[i]!;
    }
  }
}
