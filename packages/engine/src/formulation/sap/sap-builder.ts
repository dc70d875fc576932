/** From a configuration to the problem of `sap`: the rows of velocity-builder.ts, and contacts near-rigid or compliant (contact-blocks.ts). */
import type { ContactSet } from '../../collision/contact-set.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { JointWorkspace } from '../../joint/joint-workspace.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { Model } from '../../model/model.ts';
import type { Forest } from '../../objective/forest.ts';
import type { SapOptions } from '../../scene/options.ts';
import type { SoftBodies } from '../../soft/soft-bodies.ts';
import { GroupSpeed } from '../group-speed.ts';
import { GuidedContacts } from '../guided-contacts.ts';
import { RollingContacts } from '../rolling-contacts.ts';
import { VelocityBuilder } from '../velocity-solve/velocity-builder.ts';
import { addContacts } from './contact-blocks.ts';

export class SapBuilder extends VelocityBuilder {
  readonly options: Readonly<Required<SapOptions>>;
  /** Share of the usual softness that the current contact has. */
  loadShare = 1;
  /** Inverse mass that friction of the current contact sees at least, 1/kg. */
  sharedInverse = 0;
  /** Normal velocity that held vertices give the current contact, m/s. */
  heldApproach = 0;
  /** Speed at which mocap bodies part the surfaces of the current contact, m/s. */
  mocapParting = 0;
  readonly groupSpeed: GroupSpeed;
  readonly guided: GuidedContacts;
  readonly rolling: RollingContacts;

  constructor(model: Model, forest: Forest, joints: JointWorkspace, soft: SoftBodies, memory: Memory) {
    super(model, forest, joints, soft, memory, model.options.sap.nearRigidJoint);
    this.options = model.options.sap;
    this.groupSpeed = new GroupSpeed(model, memory);
    this.guided = new GuidedContacts(model);
    this.rolling = new RollingContacts(model);
  }

  protected override addContacts(work: Workspace, contacts: ContactSet): void {
    addContacts(this, work, contacts);
    this.rolling.add(this.problem, work, contacts, this.startVelocity, this.h);
  }
}
