/** The whole engine: everything in `core.ts`, and the parts that a page can load later. */
import './compiled.ts';
import './compliance.ts';
import './fields.ts';
import './fluid.ts';
import './formulation/ccp/provide.ts';
import './formulation/ipc/provide.ts';
import './formulation/penalty/provide.ts';
import './formulation/sap/provide.ts';
import './lessons.ts';
import './meshes.ts';
import './mujoco-points.ts';
import './parameters.ts';
import './pictures.ts';
import './sensors.ts';
import './sleeping.ts';
import './sparse.ts';
import './tendons.ts';
import './terms.ts';

export * from './core.ts';
