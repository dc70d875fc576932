/** A scene around meshes that come alone: each falls on a floor, surfaces as rigid bodies, tetrahedra as soft ones. */
import { isGmsh, readGmsh, readMesh } from '@nexdyn/formats';
import type { SceneFiles } from '../session/protocol.ts';

/** A mesh that would be larger than this was drawn in millimetres, m. */
const LARGEST = 20;

/** Scenes by their path, one per mesh; undefined where no file is a mesh. */
export function wrapMeshes(files: SceneFiles): SceneFiles | undefined {
  const scenes: [string, string][] = [];
  for (const [path, content] of Object.entries(files)) {
    if (!/\.(obj|stl|msh|glb|gltf)$/i.test(path)) continue;
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    const isSoft = isGmsh(bytes);
    const mesh = isSoft ? readGmsh(path, bytes) : readMesh(path, bytes);
    const box = measureBox(mesh.vertices);
    const scale = Math.max(...box.size) > LARGEST ? 0.001 : 1;
    const name = path.slice(path.lastIndexOf('/') + 1);
    if ('faces' in mesh) scenes.push([`${path}.xml`, wrapRigid(name, box, scale, chooseMass(mesh, box))]);
    else scenes.push([`${path}.json`, wrapSoft(name, box, scale)]);
  }
  return scenes.length > 0 ? Object.fromEntries(scenes) : undefined;
}

interface Box {
  low: [number, number, number];
  size: [number, number, number];
}

function measureBox(vertices: ArrayLike<number>): Box {
  const low: Box['low'] = [Infinity, Infinity, Infinity];
  const high: Box['low'] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < vertices.length; i++) {
    low[i % 3] = Math.min(low[i % 3]!, vertices[i]!);
    high[i % 3] = Math.max(high[i % 3]!, vertices[i]!);
  }
  return { low, size: [high[0] - low[0], high[1] - low[1], high[2] - low[2]] };
}

/** Where a mesh is in its own frame when its lowest point is a tenth of its height above the floor, m. */
function placeAbove({ low, size }: Box, scale: number, up: 1 | 2): number {
  return scale * (-low[up] + 0.1 * Math.max(...size));
}

/** Mass of a mesh: the enclosed volume of a closed surface, the hull of an open one. */
type MeshMass = 'exact' | 'convex';

/** A surface is closed and faces outwards where its area vectors add up to nothing and its volume is positive. */
function chooseMass({ vertices, faces }: { vertices: number[]; faces: number[] }, { low }: Box): MeshMass {
  const corner = (vertex: number): number[] => [0, 1, 2].map((i) => vertices[3 * vertex + i]! - low[i]!);
  const sum = [0, 0, 0];
  const edges = new Set<string>();
  let [area, volume] = [0, 0];
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = [corner(faces[f]!), corner(faces[f + 1]!), corner(faces[f + 2]!)];
    const [u, v] = [b.map((part, i) => part - a[i]!), c.map((part, i) => part - a[i]!)];
    const normal = [0, 1, 2].map((i) => u[(i + 1) % 3]! * v[(i + 2) % 3]! - u[(i + 2) % 3]! * v[(i + 1) % 3]!);
    for (let i = 0; i < 3; i++) {
      sum[i]! += normal[i]!;
      volume += (a[i]! * normal[i]!) / 6;
      edges.add(`${faces[f + i]} ${faces[f + ((i + 1) % 3)]}`);
    }
    area += Math.hypot(...normal);
  }
  const isOriented = edges.size === faces.length;
  return isOriented && volume > 0 && Math.hypot(...sum) < 1e-5 * area ? 'exact' : 'convex';
}

function wrapRigid(name: string, box: Box, scale: number, mass: MeshMass): string {
  const file = name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  // y is up in glTF: a quarter turn about x
  const isGltf = /\.(glb|gltf)$/i.test(name);
  const place = `pos="0 0 ${placeAbove(box, scale, isGltf ? 1 : 2)}"${isGltf ? ' euler="90 0 0"' : ''}`;
  return `<mujoco model="${file}">
  <option cone="elliptic"/>
  <asset><mesh name="mesh" file="${file}" scale="${scale} ${scale} ${scale}" inertia="${mass}"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 1"/>
    <body name="${file}" ${place}><freejoint/><geom type="mesh" mesh="mesh"/></body>
  </worldbody>
</mujoco>
`;
}

function wrapSoft(name: string, box: Box, scale: number): string {
  return JSON.stringify({
    format: 'nexdyn-scene',
    version: 1,
    name,
    options: { formulation: 'sap', timestep: 0.01 },
    shapes: [{ kind: 'plane', name: 'floor' }],
    softBodies: [
      {
        name,
        position: [0, 0, placeAbove(box, scale, 2)],
        mesh: { kind: 'file', file: name, scale },
        contact: 'point',
        elasticity: { youngsModulus: 1e5, poissonRatio: 0.4, stiffnessDamping: 0.005 },
      },
    ],
  });
}
