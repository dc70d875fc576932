/** Importing this file makes soft bodies and contact by pressure available. */
import { CompliantDetection } from '../collision/compliant-detection.ts';
import { compilePressure } from '../model/pressure.ts';
import { compileSoftBodies } from '../model/soft-bodies.ts';
import { ElasticBodies } from '../soft/elastic-bodies.ts';
import { provideCompliance } from './compliance-table.ts';

provideCompliance({
  compileSoftBodies,
  compilePressure,
  createSoftBodies: (model, state, memory) => new ElasticBodies(model, state, memory),
  createContacts: (model) => new CompliantDetection(model),
});
