/** Importing this file makes simulations available that have parameters of their own. */
import { OwnParameters } from './model/model-parameters.ts';
import { OWN_PARAMETERS } from './model/parameter-access.ts';

OWN_PARAMETERS.provide((model) => new OwnParameters(model));
