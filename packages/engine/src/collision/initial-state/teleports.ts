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
  const { position, orientation } = frames.current;
  let hasMoved = false;
  for (let g = 0; g < frames.moving; g++) {
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
    const moved = Math.sqrt(square) + turn * surfaces.reach[g];
    candidates.displace(g, moved);
    if (moved > SMALL + SMALL_SHARE * surfaces.reach[g]) hasMoved = true;
    // what is attached to it has moved with it
    for (let n = 0; n < model.size.softBody; n++) candidates.displace(frames.firstSoft + n, moved);
  }
  return displaceSoftBodies(model, bodies, state) || hasMoved;
}

function displaceSoftBodies(model: Model, { frames, candidates }: MovingBodies, { softPosition }: State): boolean {
  const { vertexStart } = model.soft;
  const first = 3 * frames.firstSoft;
  let hasMoved = false;
  for (let n = 0; n < model.size.softBody; n++) {
    let most = 0;
    for (let v = vertexStart[n]; v < vertexStart[n + 1]; v++) {
      if (frames.isAttached(v)) continue;
      let square = 0;
      for (let i = 3 * v; i < 3 * v + 3; i++) square += (softPosition[i] - frames.current.position[first + i]) ** 2;
      most = Math.max(most, square);
    }
    const moved = Math.sqrt(most);
    candidates.displace(frames.firstSoft + n, moved);
    if (moved > SMALL) hasMoved = true;
  }
  return hasMoved;
}
