/**
 * How far bodies are from where the last step left them: a reset, a restored state, a user who moved them. Candidates must know, since
 * they hold for moves up to their slack.
 *   rigid  |Δx| + π |Δq| r, r (m) the farthest point: the angle between two quaternions is at most π times their distance
 *   soft   the farthest of the vertices
 */
import type { Model } from '../../model/model.ts';
import type { State } from '../../state/state.ts';
import type { MovingBodies } from './moving-bodies.ts';

/** Moves that are round-off of the integrator, m and share of the size. */
const SMALL = 1e-9;
const SMALL_SHARE = 1e-7;

/** Tells the candidates, before the frames take the state; whether anything moved by more than round-off. */
export function displaceCandidates(model: Model, bodies: MovingBodies, state: State): boolean {
  const { frames, candidates, surfaces } = bodies;
  let hasMoved = false;
  for (let g = 0; g < frames.moving; g++) {
    const moved = measureRigid(bodies, state, g);
    candidates.displace(g, moved);
    if (moved > SMALL + SMALL_SHARE * surfaces.reach[g]) hasMoved = true;
    // what is attached to it has moved with it
    for (let n = 0; n < model.size.softBody; n++) candidates.displace(frames.firstSoft + n, moved);
  }
  for (let n = 0; n < model.size.softBody; n++) {
    const moved = measureSoft(model, bodies, state, n);
    candidates.displace(frames.firstSoft + n, moved);
    if (moved > SMALL) hasMoved = true;
  }
  return hasMoved;
}

/** Whether anything is elsewhere than the frames by more than round-off. */
export function hasTeleported(model: Model, bodies: MovingBodies, state: State): boolean {
  const { frames, surfaces } = bodies;
  for (let g = 0; g < frames.moving; g++)
    if (measureRigid(bodies, state, g) > SMALL + SMALL_SHARE * surfaces.reach[g]) return true;
  for (let n = 0; n < model.size.softBody; n++) if (measureSoft(model, bodies, state, n) > SMALL) return true;
  return false;
}

function measureRigid({ frames, surfaces }: MovingBodies, state: State, g: number): number {
  const { position, orientation } = frames.current;
  let square = 0;
  let same = 0;
  let opposite = 0;
  for (let k = 0; k < 3; k++) square += (state.position[7 * g + k] - position[3 * g + k]) ** 2;
  for (let k = 0; k < 4; k++) {
    same += (state.position[7 * g + 3 + k] - orientation[4 * g + k]) ** 2;
    opposite += (state.position[7 * g + 3 + k] + orientation[4 * g + k]) ** 2;
  }
  // the angle is at most π times the distance of the quaternions
  const turn = Math.PI * Math.sqrt(Math.min(same, opposite));
  return Math.sqrt(square) + turn * surfaces.reach[g];
}

function measureSoft(model: Model, { frames }: MovingBodies, { softPosition }: State, n: number): number {
  const { vertexStart } = model.soft;
  const first = 3 * frames.firstSoft;
  let most = 0;
  for (let v = vertexStart[n]; v < vertexStart[n + 1]; v++) {
    if (frames.isAttached(v)) continue;
    let square = 0;
    for (let i = 3 * v; i < 3 * v + 3; i++) square += (softPosition[i] - frames.current.position[first + i]) ** 2;
    most = Math.max(most, square);
  }
  return Math.sqrt(most);
}
