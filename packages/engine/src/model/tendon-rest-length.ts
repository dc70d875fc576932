import { type Model, STATION } from './model.ts';
import type { RestDynamics } from './rest-dynamics.ts';

/**
 * A tendon without spring length is relaxed where the joints are: its length is that of the pose in which all joint
 * springs are relaxed, which is the initial pose unless a joint says otherwise.
 */
export function fillTendonRestLengths(model: Model, atSpringPosition: RestDynamics): void {
  const { springLength } = model.tendon;
  for (let t = 0; t < model.size.tendon; t++) {
    if (!Number.isNaN(springLength[2 * t])) continue;
    const length = addFixedTerms(model, t) ?? atSpringPosition().tendonLength[t];
    springLength[2 * t] = length;
    springLength[2 * t + 1] = length;
  }
}

// a fixed tendon is a weighted sum of joint positions; undefined for spatial ones
function addFixedTerms(model: Model, t: number): number | undefined {
  const { stationStart, stationCount, stationKind, stationObject, stationParameter } = model.tendon;
  let sum = 0;
  for (let s = stationStart[t]; s < stationStart[t] + stationCount[t]; s++) {
    if (stationKind[s] !== STATION.joint) return undefined;
    sum += stationParameter[s] * model.springPosition[model.joint.positionStart[stationObject[s]]];
  }
  return sum;
}
