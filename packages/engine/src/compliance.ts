/** Importing this file makes soft bodies and contact by pressure available. */
import './sparse.ts';
import { COMPLIANT_CONTACTS } from './collision/compliant-contacts.ts';
import { CompliantDetection } from './collision/compliant-detection.ts';
import { provideSoft } from './kernels/compiled.ts';
import { SOFT_BYTES } from './kernels/soft-bytes.ts';
import { COMPLIANCE_COMPILERS } from './model/compliance.ts';
import { compilePressure } from './model/pressure.ts';
import { compileSoftBodies } from './model/soft-bodies.ts';
import { MATRIX_FREE_HESSIAN } from './objective/matrix-free-access.ts';
import { MatrixFreeHessian } from './objective/matrix-free-hessian.ts';
import { ContactOnSoft } from './readout/soft/contact-on-soft.ts';
import { SOFT_READOUT } from './readout/soft/soft-readout.ts';
import { SOFT_CHECKS } from './scene/soft-check-access.ts';
import { checkSoftBodies } from './scene/validation/soft-bodies.ts';
import { ElasticBodies } from './soft/elastic-bodies.ts';
import { SOFT_BODIES } from './soft/soft-bodies.ts';

provideSoft(SOFT_BYTES);
SOFT_CHECKS.provide({ checkSoftBodies });
COMPLIANCE_COMPILERS.provide({ compileSoftBodies, compilePressure });
SOFT_BODIES.provide((model, state, memory) => new ElasticBodies(model, state, memory));
COMPLIANT_CONTACTS.provide((model) => new CompliantDetection(model));
SOFT_READOUT.provide((source) => new ContactOnSoft(source));
MATRIX_FREE_HESSIAN.provide(MatrixFreeHessian);
