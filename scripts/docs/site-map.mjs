// The pages of the site and their order. A page of docs/ that is not named here stands under "More".

export const SECTIONS = [
  {
    title: 'Begin',
    pages: [
      { source: 'docs/index.md', target: 'index.html', label: 'NexDyn' },
      { source: 'docs/guide.md', target: 'guide.html', label: 'Guide' },
      { source: 'README.md', target: 'readme.html', label: 'Installing, status' },
      { source: 'docs/examples.md', target: 'examples.html', label: 'Examples' },
    ],
  },
  {
    title: 'Use',
    pages: [
      { source: 'docs/studio.md', target: 'studio.html', label: 'Studio' },
      { source: 'docs/publishing.md', target: 'publishing.html', label: 'Publish' },
      { source: 'docs/cli.md', target: 'cli.html', label: 'Command line' },
      { source: 'docs/scenes.md', target: 'scenes.html', label: 'Scenes' },
      { source: 'docs/scene.md', target: 'scene.html', label: 'Scene fields' },
      { source: 'docs/lessons.md', target: 'lessons.html', label: 'Lessons' },
      { source: 'docs/formats.md', target: 'formats.html', label: 'File formats' },
      { source: 'docs/batch.md', target: 'batch.html', label: 'Batches' },
      { source: 'docs/derivatives.md', target: 'derivatives.html', label: 'Derivatives' },
      { source: 'docs/sweeps.md', target: 'sweeps.html', label: 'Sweeps' },
      { source: 'docs/python.md', target: 'python.html', label: 'Python' },
      { source: 'docs/errors.md', target: 'errors.html', label: 'Errors' },
      { source: 'docs/security.md', target: 'security.html', label: 'Security' },
    ],
  },
  {
    title: 'Formulations',
    pages: [
      { source: 'docs/formulations.md', target: 'formulations.html', label: 'Which one' },
      { source: 'docs/mujoco.md', target: 'mujoco.html', label: 'mujoco' },
      { source: 'docs/sap.md', target: 'sap.html', label: 'sap' },
      { source: 'docs/ccp.md', target: 'ccp.html', label: 'ccp' },
      { source: 'docs/ipc.md', target: 'ipc.html', label: 'ipc' },
      { source: 'docs/penalty.md', target: 'penalty.html', label: 'penalty' },
      { source: 'docs/soft.md', target: 'soft.html', label: 'Soft bodies' },
      { source: 'docs/sensors.md', target: 'sensors.html', label: 'Sensors' },
      { source: 'docs/thin.md', target: 'thin.html', label: 'Cloth and rods' },
      { source: 'docs/terms.md', target: 'terms.html', label: 'Energy terms' },
      { source: 'docs/hydroelastic.md', target: 'hydroelastic.html', label: 'Hydroelastic contact' },
      { source: 'docs/ruler.md', target: 'ruler.html', label: 'The ruler' },
      { source: 'docs/random-scenes.md', target: 'random-scenes.html', label: 'Random scenes' },
      { source: 'docs/known-errors.md', target: 'known-errors.html', label: 'Known errors' },
      { source: 'docs/validation.md', target: 'validation.html', label: 'Validation' },
      { source: 'docs/mujoco-agreement.md', target: 'mujoco-agreement.html', label: 'Agreement with MuJoCo' },
      { source: 'docs/friction-pyramids.md', target: 'friction-pyramids.html', label: 'Friction pyramids' },
    ],
  },
  {
    title: 'Inside',
    pages: [
      { source: 'docs/architecture.md', target: 'architecture.html', label: 'Architecture' },
      { source: 'docs/glossary.md', target: 'glossary.html', label: 'Glossary' },
      { source: 'docs/limits.md', target: 'limits.html', label: 'Limits' },
      { source: 'docs/collision.md', target: 'collision.html', label: 'Collision' },
      { source: 'benchmarks/results.md', target: 'benchmarks.html', label: 'Benchmarks' },
      { source: 'CONTRIBUTING.md', target: 'contributing.html', label: 'Contributing' },
      { source: 'CHANGELOG.md', target: 'changelog.html', label: 'Changes' },
    ],
  },
];

/** Packages whose exports are listed. */
export const PACKAGES = [
  {
    name: '@nexdyn/engine',
    entry: 'packages/engine/dist/core.d.ts',
    target: 'api-engine.html',
    label: 'Engine',
    topic: 'Simulation',
    summary:
      'Scenes, models, simulations, contacts, read-outs. No dependencies, no DOM, no Node. `@nexdyn/engine/core` has the same exports and leaves parts to be imported: `@nexdyn/engine/sap`, `/ccp`, `/ipc`, `/penalty`, `/compliance` (soft bodies and contact by pressure), `/fields` (signed-distance fields), `/meshes` (meshes and height fields), `/terms` (energy terms), `/sparse` (block-sparse matrices for many bodies).',
  },
  {
    name: '@nexdyn/engine/terms',
    entry: 'packages/engine/dist/terms.d.ts',
    target: 'api-terms.html',
    label: 'Engine: terms',
    topic: 'Energy terms',
    summary: 'Energies of your own: the interface, what writes one from points, and the check of its derivatives.',
  },
  {
    name: '@nexdyn/engine/solvers',
    entry: 'packages/engine/dist/solvers.d.ts',
    target: 'api-solvers.html',
    label: 'Engine: solvers',
    topic: 'Solvers',
    summary:
      'Cone programs, Coulomb friction, Newton, conjugate gradients and line searches, for problems of your own.',
  },
  {
    name: '@nexdyn/engine/geometry',
    entry: 'packages/engine/dist/geometry.d.ts',
    target: 'api-geometry.html',
    label: 'Engine: geometry',
    topic: 'Geometry',
    summary: 'Distances, times of impact, signed distances, hulls, rays, masses and meshes, without a scene.',
  },
  {
    name: '@nexdyn/formats',
    entry: 'packages/formats/dist/index.d.ts',
    target: 'api-formats.html',
    label: 'Formats',
    topic: 'Loading scenes',
    summary: 'Files to scenes, recordings to files.',
  },
  {
    name: '@nexdyn/batch',
    entry: 'packages/batch/dist/index.d.ts',
    target: 'api-batch.html',
    label: 'Batch',
    topic: 'Batches',
    summary: 'Many runs of one model on all cores.',
  },
];
