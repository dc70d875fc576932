/** NexDyn in a three.js world: a scene as a group that follows a simulation, and a simulation in a worker. */
export { type ContactMark, type DrawnState, SimulationGroup, type SimulationGroupOptions } from './simulation-group.ts';
export { createWorkerSimulation, type MessagePortLike, WorkerSimulation } from './worker-simulation.ts';
