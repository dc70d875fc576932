/** Importing this file makes scenes with a lesson available: their formulas are checked and computed. */
import { computeSettings } from './scene/formula/lesson-values.ts';
import { LESSONS } from './scene/lesson-access.ts';
import { checkLesson } from './scene/validation/lesson.ts';

LESSONS.provide({ checkLesson, computeSettings });
