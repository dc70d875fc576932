/** The same model here, under the formulation `mujoco` in joint coordinates. */
import { type Model, type Scene, Simulation, type StepReport } from '@nexdyn/engine';
import type { UnsupportedItem } from '@nexdyn/formats';
import { readSimulationOptions } from '../option-values.ts';
import { compileSceneFile, loadSceneFile, type SceneFileOptions } from '../scene-file.ts';
import {
  type ContactRecord,
  chooseControls,
  type ModelRecord,
  type RecordPlan,
  type StateRecord,
  sortMoments,
} from './model-record.ts';

/** What is computed in a given state. */
export type Evaluation = Pick<StateRecord, 'contacts' | 'smoothForce' | 'constraintForce' | 'sensors'>;

/** One step from a given state. */
export interface OwnStep {
  position: number[];
  solver: Pick<StepReport, 'status' | 'iterations' | 'residual'>;
}

export class OwnModel {
  readonly model: Model;
  readonly unsupported: readonly UnsupportedItem[];

  /** `isOld`: for MuJoCo before 4.0, whose RK4 is of order two on rotations. */
  constructor(file: string, options: SceneFileOptions, isOld: boolean) {
    const source = loadSceneFile(file, options);
    this.unsupported = source.unsupported;
    const { options: read } = source.scene;
    const scene: Scene =
      isOld && read?.integrator === 'rkmk4'
        ? { ...source.scene, options: { ...read, integrator: 'rk4' } }
        : source.scene;
    this.model = compileSceneFile({ ...source, scene }, { formulation: 'mujoco', coordinates: 'joint' });
  }

  get sizes(): ModelRecord['sizes'] {
    const { size } = this.model;
    return {
      nq: size.position,
      nv: size.velocity,
      nu: size.actuator,
      na: size.activation,
      nbody: size.body,
      njnt: size.joint,
      ngeom: size.shape,
      nsite: size.site,
      nmesh: size.mesh,
      ntendon: size.tendon,
      neq: size.equality,
      nkey: size.keyframe,
      nmocap: size.mocap,
      nsensor: size.sensor,
      nsensordata: this.model.sensor.dimension.reduce((sum, dimension) => sum + dimension, 0),
    };
  }

  get mass(): number[] {
    return [...this.model.body.mass];
  }

  get inertia(): number[] {
    return sortMoments(this.model.body.inertiaMoments);
  }

  /** Arrays by the names of MuJoCo. */
  get fields(): ModelRecord['fields'] {
    const { joint, dof, shape, actuator } = this.model;
    return {
      jnt_type: [...joint.kind],
      jnt_pos: [...joint.anchor],
      jnt_axis: [...joint.axis],
      jnt_range: [...joint.range],
      jnt_margin: [...joint.margin],
      jnt_stiffness: [...joint.stiffness],
      dof_damping: [...dof.damping],
      dof_armature: [...dof.armature],
      dof_frictionloss: [...dof.frictionLoss],
      geom_friction: [...shape.friction],
      geom_condim: [...shape.condim],
      geom_margin: [...shape.margin],
      geom_gap: [...shape.gap],
      geom_solref: [...shape.solref],
      geom_solimp: [...shape.solimp],
      actuator_ctrlrange: [...actuator.controlRange],
    };
  }

  /** Joint positions at the times of the plan. */
  run({ times, seed }: RecordPlan): number[][] {
    const { model } = this;
    const simulation = this.#open();
    if (seed !== undefined) {
      simulation.state.control.set(chooseControls(model.actuator.controlLimited, model.actuator.controlRange, seed));
    }
    let step = 0;
    return times.map((time) => {
      for (const end = Math.round(time / model.options.timestep); step < end; step++) simulation.step();
      return [...simulation.state.position];
    });
  }

  /** Contacts and forces in states of another engine. */
  evaluate(states: readonly StateRecord[]): Evaluation[] {
    const simulation = this.#open();
    return states.map((record) => {
      setState(simulation, record);
      simulation.forward();
      return {
        contacts: listContacts(simulation),
        smoothForce: [...simulation.derived.smoothForce],
        constraintForce: [...simulation.derived.constraintForce],
        sensors: [...simulation.sensorData],
      };
    });
  }

  /** Joint positions one step after each state of another engine, and how the solver ended. */
  stepFrom(states: readonly StateRecord[]): OwnStep[] {
    const simulation = this.#open();
    return states.map((record) => {
      setState(simulation, record);
      const { status, iterations, residual } = simulation.step();
      return { position: [...simulation.state.position], solver: { status, iterations, residual } };
    });
  }

  #open(): Simulation {
    return new Simulation(this.model, readSimulationOptions(this.model, {}));
  }
}

function setState(simulation: Simulation, record: StateRecord): void {
  const { state } = simulation;
  simulation.reset(null);
  state.time[0] = record.time;
  state.position.set(record.qpos);
  state.velocity.set(record.qvel);
  state.activation.set(record.act);
  state.control.set(record.ctrl);
  state.mocapPosition.set(record.mocapPosition);
  state.mocapOrientation.set(record.mocapOrientation);
  state.warmStart.set(record.warmStart);
}

function listContacts(simulation: Simulation): ContactRecord[] {
  const set = simulation.solvedContacts;
  return Array.from({ length: set.count }, (_, i) => ({
    geom1: set.shape1[i]!,
    geom2: set.shape2[i]!,
    position: [...set.position.subarray(3 * i, 3 * i + 3)],
    normal: [...set.frame.subarray(9 * i, 9 * i + 3)],
    distance: set.gap[i]!,
  }));
}
