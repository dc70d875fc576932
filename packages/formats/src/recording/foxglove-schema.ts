/**
 * JSON schemas of the Foxglove messages that are written (foxglove.FrameTransforms, foxglove.SceneUpdate), as far as they
 * are used: viewers know messages by the name of their schema. Lengths in metres, quaternions x y z w, colours 0 to 1.
 */
export interface JsonSchema {
  title?: string;
  type: 'object' | 'array' | 'number' | 'integer' | 'string' | 'boolean';
  description?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
}

const number: JsonSchema = { type: 'number' };
const text: JsonSchema = { type: 'string' };
const flag: JsonSchema = { type: 'boolean' };
const integer: JsonSchema = { type: 'integer' };

function object(properties: Record<string, JsonSchema>, title?: string): JsonSchema {
  return { ...(title && { title }), type: 'object', properties };
}

function list(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

const time = object({ sec: integer, nsec: integer }, 'time');
const duration = object({ sec: integer, nsec: integer }, 'duration');
const vector = object({ x: number, y: number, z: number });
const quaternion = object({ x: number, y: number, z: number, w: number });
const color = object({ r: number, g: number, b: number, a: number });
const pose = object({ position: vector, orientation: quaternion });

/** Poses of frames in the frames of their parents. */
export const FRAME_TRANSFORMS: JsonSchema = object(
  {
    transforms: list(
      object({
        timestamp: time,
        parent_frame_id: text,
        child_frame_id: text,
        translation: vector,
        rotation: quaternion,
      }),
    ),
  },
  'foxglove.FrameTransforms',
);

/** Things to draw, each in the frame that it follows. */
export const SCENE_UPDATE: JsonSchema = object(
  {
    deletions: list(object({ timestamp: time, type: integer, id: text })),
    entities: list(
      object({
        timestamp: time,
        frame_id: text,
        id: text,
        lifetime: duration,
        frame_locked: flag,
        metadata: list(object({ key: text, value: text })),
        arrows: list(
          object({
            pose,
            shaft_length: number,
            shaft_diameter: number,
            head_length: number,
            head_diameter: number,
            color,
          }),
        ),
        cubes: list(object({ pose, size: vector, color })),
        spheres: list(object({ pose, size: vector, color })),
        cylinders: list(object({ pose, size: vector, bottom_scale: number, top_scale: number, color })),
        lines: list(
          object({
            type: integer,
            pose,
            thickness: number,
            scale_invariant: flag,
            points: list(vector),
            color,
            colors: list(color),
            indices: list(integer),
          }),
        ),
        triangles: list(object({ pose, points: list(vector), color, colors: list(color), indices: list(integer) })),
        texts: list(object({ pose, billboard: flag, font_size: number, scale_invariant: flag, color, text })),
        models: list(
          object({
            pose,
            scale: vector,
            color,
            override_color: flag,
            url: text,
            media_type: text,
            data: { type: 'string', description: 'base64' },
          }),
        ),
      }),
    ),
  },
  'foxglove.SceneUpdate',
);
