/**
 * The phases before the solve that `mujoco`, `sap` and `ccp` share: they solve for velocities at the configuration in which a step
 * begins, so the velocities v* of soft bodies without contact and the contact set are found there, once per step.
 */
import { ContactsAhead } from '../collision/ahead/contacts-ahead.ts';
import type { ContactSet } from '../collision/contact-set.ts';
import { type CollisionWorkspace, detectContacts, writeContactSet } from '../collision/detect-contacts.ts';
import type { StartingPairs } from '../collision/initial-state/starting-pairs.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { Model } from '../model/model.ts';
import type { SoftBodies } from '../soft/soft-bodies.ts';
import type { State } from '../state/state.ts';
import type { Formulation, StepReport } from './formulation.ts';
import { reportLeftOut } from './soft-rows/soft-report.ts';
import { TouchedVertices } from './soft-rows/touched-vertices.ts';

/** What the formulations over velocities share of a formulation. */
export type VelocityPhases = Pick<
  Formulation,
  | 'contactsAre'
  | 'prepareState'
  | 'noticeMoves'
  | 'noteState'
  | 'listLeftOut'
  | 'predictSoftBodies'
  | 'detectContacts'
  | 'findUnforeseen'
  | 'passesThrough'
  | 'linearizeSoftBodies'
  | 'relinearizeSoftBodies'
>;

/** Whether the next solve is one more of the same step, with more contacts or soft bodies linear elsewhere: it may start where the last has ended. */
export class RepeatedSolve {
  isNext = false;

  /** Before the solve, once. */
  take(): boolean {
    const { isNext } = this;
    this.isNext = false;
    return isNext;
  }
}

/**
 * What a formulation over velocities is made of besides its solve; with what becomes of pairs that overlap at the start, and whether contacts
 * at a gap have rows, and what is told of solves that follow one of the same step.
 */
export function createVelocityPhases(
  soft: SoftBodies,
  starting: StartingPairs | undefined,
  usesGaps: boolean,
  repeated: RepeatedSolve = new RepeatedSolve(),
): VelocityPhases {
  let ahead: ContactsAhead | undefined;
  let touched: TouchedVertices | undefined;
  return {
    contactsAre: 'before',
    ...(starting && {
      prepareState(_model: Model, state: State): boolean {
        starting.read(state);
        return false;
      },
      noticeMoves: (state: State) => starting.noticeMoves(state),
      noteState: (state: State) => starting.noteState(state),
      listLeftOut: () => starting.describe(),
    }),
    predictSoftBodies(model: Model, state: State, work: Workspace, h: number): void {
      soft.computeMotion(model, state, work, h);
    },
    detectContacts(model: Model, work: Workspace, collision: CollisionWorkspace, h: number): void {
      repeated.isNext = false;
      if (model.options.looksAhead) ahead ??= new ContactsAhead(model, collision.plan, usesGaps);
      detectContacts(model, work, collision, ahead, h, starting);
    },
    findUnforeseen(model, state, work, collision, h, isLast): boolean {
      if (!ahead || !collision.plan.isActive) return false;
      if (!ahead.findUnforeseen(model, state, work, collision, starting, isLast)) return false;
      writeContactSet(model, work, collision, ahead, h, starting);
      repeated.isNext = true;
      return true;
    },
    passesThrough: () => ahead?.passesThrough === true,
    linearizeSoftBodies(model: Model, state: State, work: Workspace, contacts: ContactSet, h: number): void {
      touched ??= new TouchedVertices(model);
      if (touched.find(state, contacts)) soft.linearizeUnderLoad(work, touched.isTouched, h);
    },
    relinearizeSoftBodies(work: Workspace, h: number, isLast: boolean, report: StepReport): boolean {
      const isAgain = soft.relinearize(work, h, isLast);
      repeated.isNext = isAgain;
      reportLeftOut(soft, report);
      return isAgain;
    },
  };
}
