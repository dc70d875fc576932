/** Importing this file makes scenes with tendons available. */
import { updateTendons, updateTendonVelocities } from './dynamics/tendon.ts';
import { TENDONS } from './dynamics/tendon-access.ts';
import { addTendonBias, addTendonInertia, measureTendonDrift } from './dynamics/tendon-armature.ts';

TENDONS.provide({ updateTendons, updateTendonVelocities, addTendonInertia, addTendonBias, measureTendonDrift });
