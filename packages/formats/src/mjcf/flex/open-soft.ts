/** Soft bodies while a model is read: in the frame of the body they stand in, so that replicate and attach can copy them. */
import type { Equality, Quaternion, SoftBody, Vec3 } from '@nexdyn/engine';

/** A soft body that has no place in the world yet. */
export interface OpenSoft {
  name: string;
  /** Pose in the body that it stands in. */
  position?: Vec3;
  orientation?: Quaternion;
  /** What it will be, without name and place. */
  soft: SoftBody;
  /** Vertices fixed to the body that it stands in. */
  pinned: number[];
  /** Vertices fixed to other bodies. */
  attachments: { vertices: number[]; body: string }[];
  /** Names of bodies that MuJoCo makes for it, and the vertices that they carry. */
  vertexNames: Record<string, number[]>;
  /** Points at the ends of a body along its x axis and its length, for anchors of <connect>. */
  edgeLength?: number;
  /** Constraint of its edges, whose softness becomes stiffness once masses are known. */
  edge: EdgeSettings;
  /** Friction of its surface, where it is not the default. */
  friction?: [number, number, number];
}

/** <equality><flex>: the edges of a flex keep their lengths. */
export interface FlexEquality {
  flex: string;
  solref: NonNullable<EdgeSettings['solref']>;
  solimp: NonNullable<EdgeSettings['solimp']>;
}

/** What keeps the lengths of the edges. */
export interface EdgeSettings {
  /** Time constant and damping ratio, or their negative direct form; undefined where edges are not constrained. */
  solref?: NonNullable<Equality['mujoco']>['solref'];
  solimp?: NonNullable<Equality['mujoco']>['solimp'];
  /** N/m and N s/m of each edge. */
  stiffness: number;
  damping: number;
}
