/**
 * Stiffness in place of constraints and springs on the edges of a flex. MuJoCo's constraint of an edge between two masses m with impedance d
 * and reference K r, B v is at rest where  f = K d r/R,  R = (1 − d)/d · 1/m  (Todorov 2014; MuJoCo documentation, Computation):
 *   k = K d² m/(1 − d),   K = 1/(d₁ τ ζ)²,   damping over stiffness  B/(K d) = 2 d₁ τ ζ²/d,   d₁ = solimp[1].
 */
import type { Elasticity } from '@nexdyn/engine';
import { type FlexSize, measureFlex, spreadSprings } from './flex-measure.ts';
import type { FlexMesh } from './flex-points.ts';
import type { OpenSoft } from './open-soft.ts';

/** Adds what the edges of a soft body contribute to its elasticity. */
export function addEdgeStiffness({ soft, edge }: OpenSoft): void {
  const { elasticity } = soft;
  const mesh = meshOf(soft.mesh);
  if (!mesh) return;
  const size = measureFlex(mesh);
  let [k, relaxation] = [edge.stiffness, 0];
  if (edge.solref && edge.solimp) {
    const d = edge.solimp[1];
    const [a, b] = edge.solref;
    const stiffness = a > 0 ? 1 / (d * a * b) ** 2 : -a / (d * d);
    const damping = a > 0 ? 2 / (d * a) : -b / d;
    k += (stiffness * d * d * elasticity.vertexMass!) / (1 - d);
    relaxation = damping / (stiffness * d);
  }
  if (k > 0) {
    addSprings(elasticity, mesh.dim, size, k);
    elasticity.stiffnessDamping = Math.max(elasticity.stiffnessDamping ?? 0, relaxation);
  }
  if (edge.damping > 0) {
    const whole = mesh.dim === 3 ? elasticity.youngsModulus : elasticity.stretchStiffness!;
    const { stiffness } = spreadSprings(mesh.dim, size, edge.damping);
    if (whole > 0) elasticity.stiffnessDamping = (elasticity.stiffnessDamping ?? 0) + stiffness / whole;
  }
}

function addSprings(elasticity: Elasticity, dim: 1 | 2 | 3, size: FlexSize, k: number): void {
  const { stiffness, poissonRatio } = spreadSprings(dim, size, k);
  const before = dim === 3 ? elasticity.youngsModulus : elasticity.stretchStiffness!;
  const share = stiffness / (stiffness + before);
  if (dim !== 1) elasticity.poissonRatio += share * (poissonRatio - elasticity.poissonRatio);
  if (dim === 3) elasticity.youngsModulus += stiffness;
  else elasticity.stretchStiffness = before + stiffness;
}

function meshOf(mesh: OpenSoft['soft']['mesh']): FlexMesh | undefined {
  if (mesh.kind === 'tetrahedra') return { dim: 3, points: mesh.vertices, elements: mesh.tetrahedra };
  if (mesh.kind === 'triangles') return { dim: 2, points: mesh.vertices, elements: mesh.triangles };
  if (mesh.kind !== 'polyline') return undefined;
  const count = mesh.points.length / 3;
  const elements = Array.from({ length: 2 * (count - 1) }, (_, i) => Math.ceil(i / 2));
  if (mesh.closed) elements.push(count - 1, 0);
  return { dim: 1, points: mesh.points, elements };
}
