/**
 * Parameters of the contacts of a soft body, by the rules of pair-parameters.ts: the larger friction, or that of a rigid shape
 * with priority; margins and dissipation times add; stiffnesses in series. A soft body has priority 0 and no spin or roll.
 * Where neither material has a stiffness, that of a vertex is its share of the surface times that of a layer, k = C a.
 * Symbols: C Pa/m, a m². C is Drake's choice for deformable bodies: a body as heavy as water of size L sinks in by 1e-4 L.
 */
import type { Model } from '../../model/model.ts';
import type { CollisionPlan } from '../collision-plan.ts';
import type { ContactSet } from '../contact-set.ts';

/** C, Pa/m. */
export const LAYER_STIFFNESS = 1e8;
const LEAST_FRICTION = 1e-5;

export class SoftParameters {
  margin = 0;
  friction = 0;
  /** N/m; 0 where no material says. */
  stiffness = 0;
  dissipation = -1;

  /** Of soft body n and what is shape `other`: a rigid shape, or from `size.shape` on a soft body. */
  mix(model: Model, plan: CollisionPlan, n: number, other: number): void {
    const { soft, shape, size, scene } = model;
    const isSoft = other >= size.shape;
    const m = other - size.shape;
    const friction = isSoft ? soft.friction[3 * m] : shape.friction[3 * other];
    const stiffness = isSoft ? soft.stiffness[m] : plan.surface.stiffness[other];
    const dissipation = isSoft ? soft.dissipation[m] : plan.surface.dissipation[other];
    const priority = isSoft ? 0 : shape.priority[other];
    this.margin = soft.margin[n] + (isSoft ? soft.margin[m] : shape.margin[other]);
    this.friction = priority === 0 ? Math.max(friction, soft.friction[3 * n]) : friction;
    if (priority < 0) this.friction = soft.friction[3 * n];
    this.friction = Math.max(LEAST_FRICTION, this.friction);
    const own = soft.stiffness[n];
    this.stiffness = own > 0 && stiffness > 0 ? (own * stiffness) / (own + stiffness) : own + stiffness;
    const isOpen = dissipation < 0 && soft.dissipation[n] < 0;
    this.dissipation = isOpen ? -1 : Math.max(0, dissipation) + Math.max(0, soft.dissipation[n]);
    const all = scene.options?.contactOverride;
    this.margin = all?.margin ?? this.margin;
    this.friction = all?.friction ? Math.max(LEAST_FRICTION, all.friction[0]) : this.friction;
  }

  /** Writes them to contact i, which stands for an area. */
  write(contacts: ContactSet, i: number, area: number): void {
    contacts.margin[i] = this.margin;
    contacts.condim[i] = 3;
    contacts.friction.fill(LEAST_FRICTION, 5 * i, 5 * i + 5);
    contacts.friction[5 * i] = contacts.friction[5 * i + 1] = this.friction;
    contacts.stiffness[i] = this.stiffness > 0 ? this.stiffness : LAYER_STIFFNESS * area;
    contacts.dissipation[i] = this.dissipation;
    contacts.restitution[i] = 0;
    contacts.adhesion[i] = 0;
    contacts.area[i] = area;
    contacts.pressure[i] = 0;
    contacts.solref.fill(0, 2 * i, 2 * i + 2);
    contacts.solrefFriction.fill(0, 2 * i, 2 * i + 2);
    contacts.solimp.fill(0, 5 * i, 5 * i + 5);
  }
}
