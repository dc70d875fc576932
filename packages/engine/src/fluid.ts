/** Importing this file makes scenes in a fluid available: `options.medium`. */
import { addEllipsoidSkewRate } from './dynamics/ellipsoid-drag.ts';
import { FLUID } from './dynamics/fluid-access.ts';
import { addFluidForce, addFluidRate, writeFluidWrench } from './dynamics/fluid-force.ts';
import { createFluidPlan } from './dynamics/fluid-plan.ts';

FLUID.provide({ createFluidPlan, addFluidForce, addFluidRate, addEllipsoidSkewRate, writeFluidWrench });
