/** From a configuration to the problem of `penalty`: the rows of velocity-builder.ts, and contacts with their springs. */
import type { ContactSet } from '../../collision/contact-set.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { JointWorkspace } from '../../joint/joint-workspace.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { Model } from '../../model/model.ts';
import type { Forest } from '../../objective/forest.ts';
import type { PenaltyOptions } from '../../scene/options.ts';
import type { SoftBodies } from '../../soft/soft-bodies.ts';
import { VelocityBuilder } from '../velocity-solve/velocity-builder.ts';
import { addContacts } from './contact-blocks.ts';
import { ContactSprings } from './contact-springs.ts';

/** β of limits, equalities and joints, as in `sap`. */
const NEAR_RIGID_JOINT = 0.1;

export class PenaltyBuilder extends VelocityBuilder {
  readonly options: Readonly<Required<PenaltyOptions>>;
  readonly springs: ContactSprings;

  constructor(model: Model, forest: Forest, joints: JointWorkspace, soft: SoftBodies, memory: Memory) {
    super(model, forest, joints, soft, memory, NEAR_RIGID_JOINT);
    this.options = model.options.penalty;
    this.springs = new ContactSprings(memory);
  }

  protected override addContacts(work: Workspace, contacts: ContactSet): void {
    this.springs.clear();
    addContacts(this, work, contacts);
  }
}
