/** What reads the formulas of a lesson; it comes with '@nexdyn/engine/lessons'. */
import { LazyModule } from '../parts/lazy-module.ts';
import type { Lesson } from './lesson.ts';
import type { Scene } from './scene.ts';

interface LessonReader {
  /** Raises an error where the lesson of a scene has a fault. */
  checkLesson(scene: Scene): void;
  /** What the sliders set, by path. */
  computeSettings(lesson: Lesson, values: readonly number[]): Record<string, unknown>;
}

export const LESSONS: LazyModule<LessonReader> = new LazyModule('lessons', 'lessons');
