/** A crate at rest on the floor, for pages to pull. */
export const CRATE: string = JSON.stringify({
  format: 'nexdyn-scene',
  version: 1,
  name: 'Crate to pull',
  shapes: [{ kind: 'plane', name: 'floor' }],
  bodies: [
    {
      name: 'crate',
      position: [0, 0, 0.2],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.2, 0.2, 0.2], mass: 5 }],
    },
  ],
});
