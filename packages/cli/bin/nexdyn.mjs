#!/usr/bin/env node
// The command of the installed package; in a clone it first sets up what is missing.
import { existsSync } from 'node:fs';

const inClone = new URL('../../../scripts/nexdyn.mjs', import.meta.url);
await import(existsSync(inClone) ? inClone.href : '../dist-node/main.js');
