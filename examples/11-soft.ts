import { compileModel, Simulation, scene } from '@nexdyn/engine';

// a rubber beam of 40 cm by 5 cm by 5 cm, held at one end, bends under its weight
const [length, side, young, density] = [0.4, 0.05, 1e7, 1000];
const world = scene('beam').timestep(0.01);
world.softBody('beam', {
  mesh: { kind: 'box', halfSize: [length / 2, side / 2, side / 2], cells: [32, 4, 4] },
  elasticity: { model: 'corotated', youngsModulus: young, poissonRatio: 0.3, density, massDamping: 40 },
});
const model = compileModel(world.build(), { formulation: 'sap' });
const simulation = new Simulation(model);

const rest = simulation.softPosition('beam').slice();
const ends = (sign: number) =>
  Array.from({ length: rest.length / 3 }, (_, vertex) => vertex).filter((v) => sign * rest[3 * v] > length / 2 - 1e-9);
simulation.holdVertices('beam', ends(-1));
simulation.step(60);

// beam theory: w L⁴ / (8 E I) with w = ρ g a², I = a⁴ / 12
const tip = ends(1)[0];
const sag = rest[3 * tip + 2] - simulation.softPosition('beam')[3 * tip + 2];
const theory = (density * 9.81 * side ** 2 * length ** 4) / ((8 * young * side ** 4) / 12);
console.log(`the tip sags by ${(1000 * sag).toFixed(1)} mm, beam theory says ${(1000 * theory).toFixed(1)} mm`);
