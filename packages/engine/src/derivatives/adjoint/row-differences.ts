/**
 * What the reverse of a step knows no closed form of: rows such as those of soft contacts, patches and the user's terms, and the forces g of these terms. In the
 * residual they are
 *   ρ(z) = −Jᵀ f(J x − r) + σ Jᵀ g        at the solution x of the step
 * whose derivatives by positions and velocities are centred differences, taken on a second simulation that builds the rows of a step and does
 * not solve it. Dofs that no row has in common are shifted together (Curtis, Powell and Reid, On the estimation of sparse Jacobian matrices, 1974), so that
 * their number does not grow with the scene. A row of rigid bodies depends on all dofs of their trees, one of soft vertices on these.
 */
import type { ContactSet } from '../../collision/contact-set.ts';
import { integratePositions } from '../../dynamics/poses.ts';
import type { InputBars } from '../../formulation/row-rates.ts';
import { addForces } from '../../formulation/term-rows/term-forces.ts';
import { type ConvexProblem, SOURCE } from '../../objective/convex-problem.ts';
import { type Forest, listCliques } from '../../objective/forest.ts';
import { evaluateLaw } from '../../objective/law-table.ts';
import type { Simulation } from '../../simulation.ts';
import { TermGradient } from '../../term/term-gradient.ts';
import { copyWeights, createTwin } from '../twin-copy.ts';
import { colorDofs } from './dof-colors.ts';

/** Lengths of differences, of positions and of velocities. */
const POSITION = 5e-8;
const VELOCITY = 2e-7;
/** Change of R, as a share, that shows that it depends on more than the dofs of its row. */
const SLIGHT = 1e-11;
/** How far dofs are shifted to see whether something depends on them at all: joints, and vertices of soft bodies. */
const FAR = 1e-3;
const NEAR = 1e-5;

/** Jᵀ f of a block over its columns, its zones and R. */
interface BlockForce {
  readonly columns: Int32Array;
  readonly force: Float64Array;
  readonly zones: Int32Array;
  readonly regularization: Float64Array;
  /** Number of the pair whose patch it is a part of, or −1. */
  readonly patch: number;
}

/** Blocks by name, and Jᵀ g of terms with Jᵀ f of their rows. */
interface Evaluation {
  readonly blocks: Map<string, BlockForce>;
  readonly terms: Float64Array;
}

/** ∂ρ by one dof: entries at some dofs. */
interface RateColumn {
  readonly dof: number;
  readonly isVelocity: boolean;
  readonly dofs: Int32Array;
  readonly rate: Float64Array;
}

export class RowDifferences {
  readonly #twin: Simulation;
  readonly #shadow: Simulation;
  readonly #forest: Forest;
  readonly #gradient: TermGradient;
  readonly #unit: Float64Array;
  readonly #detect: Simulation['formulation']['detectContacts'];
  readonly #predict: Simulation['formulation']['predictSoftBodies'];
  #snapshot: Float64Array = new Float64Array(0);
  #x: Float64Array = new Float64Array(0);
  #names: ReadonlySet<string> = new Set();
  #columns: RateColumn[] = [];

  constructor(twin: Simulation) {
    const shadow = createTwin(twin, twin.model);
    const { convex, detectContacts, predictSoftBodies } = shadow.formulation;
    this.#twin = twin;
    this.#shadow = shadow;
    this.#forest = listCliques(twin.model);
    this.#gradient = new TermGradient(twin.model.size);
    this.#unit = new Float64Array(twin.model.size.velocity);
    this.#detect = detectContacts;
    this.#predict = predictSoftBodies;
    convex!.soft.tighten(true);
    shadow.formulation.findUnforeseen = undefined;
    shadow.formulation.solve = (_model, state, work, contacts, h) => convex!.assemble(state, work, contacts, h);
  }

  /**
   * Takes the solution x of the last step of the twin and the blocks to look at; `scale` is σ. False where one is on the border of two modes, or depends on
   * dofs that are not its own.
   */
  begin(x: Float64Array, blocks: readonly number[], scale: number): boolean {
    const { formulation, solvedContacts: contacts } = this.#twin;
    const { problem } = formulation;
    const names = nameBlocks(problem!, contacts);
    this.#columns = [];
    this.#x = x;
    // terms are looked at together
    this.#names = new Set(blocks.filter((b) => problem!.source[b] !== SOURCE.term).map((b) => names[b]));
    this.#snapshot = this.#twin.snapshot();
    copyWeights(this.#twin, this.#shadow);
    const { formulation: shadow } = this.#shadow;
    const hasContacts = blocks.some((b) => problem!.source[b] === SOURCE.contact);
    shadow.detectContacts = hasContacts ? this.#detect : () => {};
    shadow.predictSoftBodies = this.#predict;
    const base = this.#evaluate([], 0, 0, scale);
    if (base.blocks.size !== this.#names.size || this.#dependsOnAll(base, scale)) return false;
    shadow.predictSoftBodies = () => {};
    const cliques = this.#listCliques(base, scale);
    if (this.#dependsOnOthers(base, cliques, scale)) return false;
    const classes = colorDofs(cliques, this.#forest.treeOf.length);
    const owners = listOwners(cliques);
    const detect = shadow.detectContacts;
    shadow.detectContacts = () => {};
    if (!classes.every((dofs) => this.#differentiate(base, dofs, owners, 0, VELOCITY, scale))) return false;
    shadow.detectContacts = detect;
    return classes.every((dofs) => this.#differentiate(base, dofs, owners, POSITION, 0, scale));
  }

  // dofs that each block, and all terms together, depend on
  #listCliques(base: Evaluation, scale: number): Map<string, number[]> {
    const { blocks } = base;
    const { start, treeOf, rigidCount } = this.#forest;
    const out = new Map<string, number[]>();
    const patches = new Map<number, Set<number>>();
    const sets = new Map<string, Set<number>>();
    for (const [name, { columns, patch }] of blocks) {
      const dofs = new Set<number>();
      for (const c of columns) {
        const tree = treeOf[c];
        if (tree >= rigidCount) dofs.add(c);
        else for (let i = start[tree]; i < start[tree + 1]; i++) dofs.add(i);
      }
      // parts of a patch share its stiffness
      if (patch >= 0) {
        const whole = patches.get(patch) ?? dofs;
        for (const dof of dofs) whole.add(dof);
        patches.set(patch, whole);
      }
      sets.set(name, patch >= 0 ? patches.get(patch)! : dofs);
    }
    for (const [name, dofs] of sets) out.set(name, [...dofs]);
    if (this.#twin.terms.length > 0) out.set(TERMS, this.#listTermDofs(base, scale));
    return out;
  }

  // those of trees on which terms act, unless terms change with others as well
  #listTermDofs({ terms }: Evaluation, scale: number): number[] {
    const { start, rigidCount } = this.#forest;
    const own: number[] = [];
    const others: number[] = [];
    for (let t = 0; t < rigidCount; t++) {
      const isMoved = terms.subarray(start[t], start[t + 1]).some((value) => value !== 0);
      for (let i = start[t]; i < start[t + 1]; i++) (isMoved ? own : others).push(i);
    }
    if (others.length === 0) return own;
    const shifted = this.#evaluate(others, FAR, FAR, scale, true);
    const isSame = shifted.terms.every((value, i) => value === terms[i]);
    return isSame ? own : [...own, ...others];
  }

  // whether R of a block follows the shape of a whole soft body
  #dependsOnAll(base: Evaluation, scale: number): boolean {
    const nv = this.#unit.length;
    const soft = this.#forest.treeOf.length - nv;
    if (soft === 0 || base.blocks.size === 0) return false;
    const others = Array.from({ length: soft }, (_, i) => nv + i);
    const { formulation } = this.#shadow;
    const { detectContacts } = formulation;
    formulation.detectContacts = () => {};
    const shifted = this.#evaluate(others, NEAR, 0, scale, true);
    formulation.detectContacts = detectContacts;
    for (const [name, { regularization }] of base.blocks) {
      const other = shifted.blocks.get(name)?.regularization;
      if (!other?.every((value, k) => Math.abs(value - regularization[k]) <= SLIGHT * Math.abs(value))) return true;
    }
    return false;
  }

  // whether a block changes with dofs that are not its own, as a contact with vertices that are held
  #dependsOnOthers(base: Evaluation, cliques: ReadonlyMap<string, readonly number[]>, scale: number): boolean {
    const nv = this.#unit.length;
    const own = new Set([...cliques.values()].flat());
    const others: number[] = [];
    for (let i = nv; i < this.#forest.treeOf.length; i++) if (!own.has(i)) others.push(i);
    if (others.length === 0 || base.blocks.size === 0) return false;
    const shifted = this.#evaluate(others, NEAR, NEAR, scale, true);
    for (const [name, { force }] of base.blocks) {
      const other = shifted.blocks.get(name)?.force;
      if (!other?.every((value, k) => Math.abs(value - force[k]) <= SLIGHT * Math.abs(value))) return true;
    }
    return false;
  }

  // shifts or pushes some dofs together; false where a block changes its mode or its columns
  #differentiate(
    base: Evaluation,
    dofs: readonly number[],
    owners: ReadonlyMap<number, readonly string[]>,
    shift: number,
    push: number,
    scale: number,
  ): boolean {
    const plus = this.#evaluate(dofs, shift, push, scale);
    const minus = this.#evaluate(dofs, -shift, -push, scale);
    const over = 0.5 / (shift + push);
    const isVelocity = push !== 0;
    for (const dof of dofs) {
      for (const name of owners.get(dof)!) {
        if (name === TERMS) {
          const rate = plus.terms.map((value, i) => over * (value - minus.terms[i]));
          if (rate.some((value) => value !== 0))
            this.#columns.push({ dof, isVelocity, dofs: Int32Array.from(rate.keys()), rate });
          continue;
        }
        const own = base.blocks.get(name)!;
        const one = plus.blocks.get(name);
        const two = minus.blocks.get(name);
        // a contact without force may end
        if ((!one || !two) && own.force.every((value) => value === 0)) continue;
        if (!one || !two || !isLike(own, one) || !isLike(own, two)) return false;
        const rate = one.force.map((value, i) => over * (two.force[i] - value));
        if (rate.some((value) => value !== 0)) this.#columns.push({ dof, isVelocity, dofs: own.columns, rate });
      }
    }
    return true;
  }

  // rows and forces with some dofs shifted and pushed
  #evaluate(dofs: readonly number[], shift: number, push: number, scale: number, isUneven = false): Evaluation {
    const shadow = this.#shadow;
    const { state, model, formulation } = shadow;
    const unit = this.#unit.fill(0);
    const nv = unit.length;
    shadow.restore(this.#snapshot);
    for (const dof of dofs) {
      const share = isUneven ? Math.sin(1 + dof) : 1;
      if (dof >= nv) {
        state.softPosition[dof - nv] += share * shift;
        state.softVelocity[dof - nv] += share * push;
        continue;
      }
      unit[dof] = share;
      state.velocity[dof] += share * push;
    }
    if (shift !== 0) integratePositions(model, state.position, unit, 0, shift);
    formulation.noteState?.(state);
    shadow.forward();
    return this.#readRows(formulation.problem!, scale);
  }

  #readRows(problem: ConvexProblem, scale: number): Evaluation {
    const { derived: work, model } = this.#shadow;
    const { rows, source, sourceIndex, reference, regularization } = problem;
    const { area, pair } = this.#shadow.solvedContacts;
    const { residual, force, zone } = problem.data;
    const blocks = new Map<string, BlockForce>();
    const terms = new Float64Array(this.#forest.treeOf.length);
    const names = nameBlocks(problem, this.#shadow.solvedContacts);
    for (let b = 0; b < rows.blockCount; b++) {
      const isTerm = source[b] === SOURCE.term;
      if (!isTerm && !this.#names.has(names[b])) continue;
      const first = rows.rowStart[b];
      const end = rows.rowStart[b + 1];
      const n = rows.columnCount[b];
      const columns = rows.column.slice(rows.columnStart[b], rows.columnStart[b] + n);
      const at = (r: number): number => rows.valueStart[b] + n * (r - first);
      for (let r = first; r < end; r++) {
        residual[r] = -reference[r];
        for (let i = 0; i < n; i++) residual[r] += rows.value[at(r) + i] * this.#x[columns[i]];
      }
      evaluateLaw(problem, b);
      const sum = new Float64Array(n);
      for (let r = first; r < end; r++) for (let i = 0; i < n; i++) sum[i] += rows.value[at(r) + i] * force[r];
      if (isTerm) for (let i = 0; i < n; i++) terms[columns[i]] -= sum[i];
      else
        blocks.set(names[b], {
          columns,
          force: sum,
          zones: Int32Array.from(zone.subarray(first, end)),
          regularization: regularization.slice(first, end),
          patch: source[b] === SOURCE.contact && area[sourceIndex[b]] > 0 ? pair[sourceIndex[b]] : -1,
        });
    }
    if (this.#twin.terms.length > 0) {
      this.#gradient.clear();
      work.terms.addGradient(work, this.#gradient);
      const rigid = new Float64Array(this.#unit.length);
      addForces(rigid, model, work, this.#gradient, scale);
      for (let i = 0; i < rigid.length; i++) terms[i] += rigid[i];
    }
    return { blocks, terms };
  }

  /** Adds the derivatives of λᵀ ρ, λ over all dofs. */
  add(out: InputBars, lambda: Float64Array): void {
    const nv = this.#unit.length;
    for (const { dof, isVelocity, dofs, rate } of this.#columns) {
      let sum = 0;
      for (let i = 0; i < dofs.length; i++) sum += rate[i] * lambda[dofs[i]];
      if (dof < nv) (isVelocity ? out.velocity : out.position)[dof] += sum;
      else (isVelocity ? out.softVelocity : out.softPosition)[dof - nv] += sum;
    }
  }
}

/** Name of all terms together. */
const TERMS = 'terms';

function isLike(own: BlockForce, other: BlockForce): boolean {
  if (own.columns.length !== other.columns.length || own.zones.length !== other.zones.length) return false;
  return (
    own.columns.every((column, i) => column === other.columns[i]) &&
    own.zones.every((zone, i) => zone === other.zones[i])
  );
}

function listOwners(cliques: ReadonlyMap<string, readonly number[]>): Map<number, string[]> {
  const out = new Map<number, string[]>();
  for (const [name, dofs] of cliques) for (const dof of dofs) (out.get(dof) ?? set(out, dof)).push(name);
  return out;
}

function set(map: Map<number, string[]>, key: number): string[] {
  const list: string[] = [];
  map.set(key, list);
  return list;
}

// the same in another step, where contacts without force come and go
function nameBlocks({ source, sourceIndex, blockCount }: ConvexProblem, { pair, feature }: ContactSet): string[] {
  const seen = new Map<string, number>();
  return Array.from({ length: blockCount }, (_, b) => {
    const i = sourceIndex[b];
    const name = source[b] === SOURCE.contact ? `${pair[i]} ${feature[i]}` : `${source[b]}: ${i}`;
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    return times > 0 ? `${name} ${times}` : name;
  });
}
