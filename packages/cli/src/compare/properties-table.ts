/** The properties of formulations beside each other: theory, stability, accuracy, differentiability and speed, with measured numbers. */
import { findFormulation } from '@nexdyn/engine';
import { formatMarkdownTable } from '../markdown-table.ts';
import type { CompareRecord } from './compare-record.ts';
import { formatShort } from './compare-table.ts';
import type { FormulationProperties } from './formulation-properties.ts';

export interface DescribedFormulation {
  record: CompareRecord;
  properties: FormulationProperties | undefined;
}

export function formatPropertiesTable(all: readonly DescribedFormulation[]): string {
  const row = (name: string, read: (one: DescribedFormulation) => string): string[] => [name, ...all.map(read)];
  const rows = [
    row('theory', ({ record }) => findFormulation(record.formulation).title),
    row('unknown of a step', ({ record }) => findFormulation(record.formulation).unknown),
    row('stability: status', ({ record }) => record.status),
    row('stable up to a time step of, s', ({ properties }) => describeStable(properties)),
    row('stable step by its own estimate, s', ({ properties }) => formatShort(properties?.estimate)),
    row('energy created, J', ({ record }) => formatShort(record.metrics?.energyCreated?.max)),
    row('accuracy: worst penetration, m', ({ record }) => formatShort(record.metrics?.penetration?.max)),
    row('friction cone violation, N', ({ record }) => formatShort(record.metrics?.coneViolation?.max)),
    row('distance from the finest step, m', ({ record }) => formatShort(record.refinement?.levels[0]?.error)),
    row('differentiability: gradient error over 1e-6 m/s', ({ properties }) =>
      formatShort(properties?.gradient?.smallError),
    ),
    row('gradient error over 0.01 m/s', ({ properties }) => formatShort(properties?.gradient?.largeError)),
    row('cost of a gradient, runs', ({ properties }) => formatShort(properties?.gradient?.cost)),
    row('speed: time per step, ms', ({ record }) => formatShort(record.cost?.stepTime.value)),
    row('times real time', ({ record }) => formatShort(record.cost?.realTimeFactor.value)),
  ];
  return formatMarkdownTable(['property', ...all.map(({ record }) => record.formulation)], rows, (k) => k > 0);
}

function describeStable(properties: FormulationProperties | undefined): string {
  if (!properties) return '-';
  const { stableStep, isBounded } = properties;
  if (stableStep === 0) return 'none tried';
  return isBounded ? formatShort(stableStep) : `${formatShort(stableStep)} and more`;
}
