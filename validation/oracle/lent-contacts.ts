/**
 * A simulation that takes its contacts from the oracle: points, frames, gaps and parameters that MuJoCo finds at the state of
 * the simulation. What is left to differ is everything but collision geometry.
 */
import { CARRIER, type Model, type State, type StepReport, type Workspace } from '@nexdyn/engine';
import { Arena } from '@nexdyn/engine/solvers';
import { ContactSet } from '../../packages/engine/src/collision/contact-set.ts';
import { computeFreeMotion } from '../../packages/engine/src/dynamics/free-motion.ts';
import { advance } from '../../packages/engine/src/dynamics/integrate.ts';
import { updateKinematics } from '../../packages/engine/src/dynamics/kinematics.ts';
import { advanceRungeKutta, isRungeKutta } from '../../packages/engine/src/dynamics/runge-kutta.ts';
import { createWorkspace } from '../../packages/engine/src/dynamics/workspace.ts';
import { createReport, type Formulation } from '../../packages/engine/src/formulation/formulation.ts';
import { createFormulation } from '../../packages/engine/src/formulation/formulation-table.ts';
import { createJointWorkspace } from '../../packages/engine/src/joint/joint-workspace.ts';
import { NO_SOFT_BODIES } from '../../packages/engine/src/soft/soft-bodies.ts';
import { createState, resetState } from '../../packages/engine/src/state/state.ts';
import type { Oracle } from './mujoco-oracle.ts';

export class LentContacts {
  readonly model: Model;
  readonly state: State;
  readonly work: Workspace;
  readonly contacts: ContactSet = new ContactSet();
  readonly formulation: Formulation;
  readonly report: StepReport = createReport();
  readonly #oracle: Oracle;
  readonly #scratch: Oracle['data'];

  constructor(model: Model, oracle: Oracle) {
    const arena = new Arena();
    this.model = model;
    this.state = createState(model, arena);
    this.formulation = createFormulation(model, arena, createJointWorkspace(model, arena), NO_SOFT_BODIES);
    this.work = createWorkspace(model, arena, this.state.all.length);
    this.#oracle = oracle;
    this.#scratch = new oracle.mujoco.MjData(oracle.model);
    resetState(model, this.state, model.keyframe.name.length > 0 ? 0 : -1);
  }

  step(): void {
    const { model, state, work } = this;
    const h = model.options.timestep;
    work.stateBefore.set(state.all);
    this.evaluate();
    if (isRungeKutta(model.options.integrator)) advanceRungeKutta(model, state, work, h, this.evaluate);
    else advance(model, state, work, h);
  }

  readonly evaluate = (): void => {
    const { model, state, work } = this;
    const h = model.options.timestep;
    updateKinematics(model, state, work);
    computeFreeMotion(model, state, work, h);
    this.#borrow();
    this.formulation.solve(model, state, work, this.contacts, h, this.report);
  };

  delete(): void {
    this.#scratch.delete();
  }

  #borrow(): void {
    const { mujoco, model: peer } = this.#oracle;
    const data = this.#scratch;
    const set = this.contacts;
    const { body } = this.model.shape;
    data.qpos.set(this.state.position);
    mujoco.mj_forward(peer, data);
    set.count = 0;
    set.reserve(data.ncon);
    const contacts = data.contact;
    for (let i = 0; i < data.ncon; i++) {
      const contact = contacts.get(i)!;
      const [shape1, shape2] = contact.geom as Int32Array;
      set.shape1[i] = shape1;
      set.shape2[i] = shape2;
      set.carrier1[i] = body[shape1];
      set.carrier2[i] = body[shape2];
      set.carrierKind1[i] = body[shape1] === 0 ? CARRIER.world : CARRIER.body;
      set.carrierKind2[i] = body[shape2] === 0 ? CARRIER.world : CARRIER.body;
      set.position.set(contact.pos as ArrayLike<number>, 3 * i);
      set.frame.set(contact.frame as ArrayLike<number>, 9 * i);
      set.gap[i] = contact.dist;
      set.margin[i] = contact.includemargin;
      set.friction.set(contact.friction as ArrayLike<number>, 5 * i);
      set.condim[i] = contact.dim;
      set.solref.set(contact.solref as ArrayLike<number>, 2 * i);
      set.solrefFriction.set(contact.solreffriction as ArrayLike<number>, 2 * i);
      set.solimp.set(contact.solimp as ArrayLike<number>, 5 * i);
      contact.delete?.();
    }
    contacts.delete();
  }
}
