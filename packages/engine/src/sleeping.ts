/** Importing this file makes scenes available whose bodies may sleep. */
import { Sleeping } from './contact/sleeping.ts';
import { SLEEPING } from './contact/sleeping-access.ts';

SLEEPING.provide((model, state, filter, isWhole) => new Sleeping(model, state, filter, isWhole));
