/**
 * A formulation from outside the engine: the law of Hertz for round bodies, with smooth friction, at every contact point.
 *
 *   f_n = k δ^{3/2} max(0, 1 − d ġ)              δ = margin − g
 *   f_t = −μ f_n v_t / √(|v_t|² + ε²)
 *   M a = f + Σ Jᵀ (f_n n + f_t)                 v⁺ = v + h a
 *
 * g gap, m, and ġ its rate, m/s; v_t sliding velocity, m/s; μ coefficient of friction; n normal; f all other forces, N. k contact
 * stiffness, N/m^{3/2}, `options.hertz.stiffness`: 4/3 E* √R for a sphere of radius R; d `options.hertz.dissipation`, s/m; ε the speed below
 * which friction is smoothed, m/s.
 *
 * All forces are those at the start of the step, so that stiff contacts need short steps. A body of mass m that rests on n points sinks in
 * by (m g/(n k))^{2/3}. Energy terms act as explicit forces −∂ψ/∂x. Joint limits, equalities and dry friction of joints are not resolved,
 * and listed.
 *
 *   nexdyn run scenes/box-stack.json --import ./examples/extensions/hertz-contact.js --formulation hertz
 *   nexdyn compare scenes/incline.json --import ./examples/extensions/hertz-contact.js
 */
import { CONTACT_MODE, readOptions, registerFormulation, schema } from '@nexdyn/engine';
import { addWrench, createVelocityPhases, listUnresolved, solveAcceleration } from '@nexdyn/engine/solvers';

const { number, object, optional } = schema;
const positive = number({ exclusiveMinimum: 0 });

/** @type {import('@nexdyn/engine').FormulationSpec} */
const HERTZ = {
  id: 'hertz',
  title: 'Explicit contact by the law of Hertz',
  unknown: 'none',
  coordinates: ['joint'],
  integrators: ['euler', 'implicitfast', 'implicit'],
  substitutes: { rk4: 'implicit', rkmk4: 'implicit' },
  resolves: {
    softBodies: false,
    restitution: false,
    pressureFields: false,
    wires: false,
    keepsDistance: false,
    startsFromImpulses: false,
  },
  options: {
    schema: object(
      {
        stiffness: optional(positive),
        dissipation: optional(number({ minimum: 0 })),
        slipSpeed: optional(positive),
      },
      'HertzOptions',
    ),
    defaults: () => ({ stiffness: 1e6, dissipation: 5, slipSpeed: 0.01 }),
  },
  create: createHertz,
};

/** @type {import('@nexdyn/engine').FormulationFactory} */
function createHertz(model, _memory, _joints, soft) {
  const { stiffness, dissipation, slipSpeed } = readOptions(model, HERTZ);
  const relative = new Float64Array(3);

  /** Writes the velocity of side 2 less that of side 1 at contact i. */
  function readSlip(work, contacts, i) {
    relative.fill(0);
    addPointVelocity(relative, model, work, contacts.carrier1[i], contacts.position, 3 * i, -1);
    addPointVelocity(relative, model, work, contacts.carrier2[i], contacts.position, 3 * i, 1);
  }

  /** The force of contact i on side 2 in its frame, and its part in the forces of the dofs. */
  function push(work, contacts, i) {
    const { frame, force, position, mode } = contacts;
    readSlip(work, contacts, i);
    const [n, t, b] = [9 * i, 9 * i + 3, 9 * i + 6];
    const along = (row) => frame[row] * relative[0] + frame[row + 1] * relative[1] + frame[row + 2] * relative[2];
    const [rate, slip1, slip2] = [along(n), along(t), along(b)];
    const depth = contacts.margin[i] - contacts.gap[i];
    const normal = depth > 0 ? stiffness * depth ** 1.5 * Math.max(0, 1 - dissipation * rate) : 0;
    const friction = contacts.condim[i] > 1 ? contacts.friction[5 * i] : 0;
    const drag = (-friction * normal) / Math.hypot(slip1, slip2, slipSpeed);
    const f = 6 * i;
    force.fill(0, f, f + 6);
    force[f] = normal;
    force[f + 1] = drag * slip1;
    force[f + 2] = drag * slip2;
    if (normal === 0) mode[i] = CONTACT_MODE.open;
    else mode[i] = Math.hypot(slip1, slip2) > slipSpeed ? CONTACT_MODE.slide : CONTACT_MODE.stick;
    const world = [0, 1, 2].map(
      (a) => frame[n + a] * force[f] + frame[t + a] * force[f + 1] + frame[b + a] * force[f + 2],
    );
    const [x, y, z] = position.subarray(3 * i, 3 * i + 3);
    const [fx, fy, fz] = world;
    addWrench(work.constraintForce, 0, model, work, contacts.carrier1[i], x, y, z, -fx, -fy, -fz, 0, 0, 0);
    addWrench(work.constraintForce, 0, model, work, contacts.carrier2[i], x, y, z, fx, fy, fz, 0, 0, 0);
  }

  /** Adds −w ∂ψ/∂x of all energy terms to the smooth forces; that of external ones counts as applied force too. */
  function addTerms(state, work, h) {
    const { terms, bodyPosition: x } = work;
    if (terms.isEmpty) return;
    terms.begin({ model, h, time: state.time[0], start: work });
    for (const term of terms.items) {
      const outs = term.external ? [work.smoothForce, work.externalForce] : [work.smoothForce];
      const w = -(term.weight ?? 1);
      term.addGradient(work, {
        addBody(b, ...gradient) {
          const [fx, fy, fz, tx, ty, tz] = gradient.map((part) => w * part);
          for (const out of outs)
            addWrench(out, 0, model, work, b, x[3 * b], x[3 * b + 1], x[3 * b + 2], fx, fy, fz, tx, ty, tz);
        },
        // soft bodies are refused
        addVertex() {},
      });
    }
  }

  return {
    id: HERTZ.id,
    usesContacts: true,
    unresolved: [...listUnresolved(model), ...listMissing(model)],
    ...createVelocityPhases(soft),
    solve(_model, state, work, contacts, h, report) {
      work.constraintForce.fill(0);
      for (let i = 0; i < contacts.count; i++) push(work, contacts, i);
      addTerms(state, work, h);
      solveAcceleration(model, state, work, h);
      work.solution.set(work.acceleration);
      report.trace.clear();
      report.status = 'converged';
      report.iterations = 0;
      report.residual = 0;
    },
  };
}

/** Adds the velocity of a body at a world point; twists are angular velocity and velocity at the centre of the body's tree. */
function addPointVelocity(out, model, work, body, point, p, sign) {
  const [wx, wy, wz, vx, vy, vz] = work.bodyTwist.subarray(6 * body, 6 * body + 6);
  const c = 3 * model.body.root[body];
  const [dx, dy, dz] = [0, 1, 2].map((a) => point[p + a] - work.treeCenter[c + a]);
  out[0] += sign * (vx + wy * dz - wz * dy);
  out[1] += sign * (vy + wz * dx - wx * dz);
  out[2] += sign * (vz + wx * dy - wy * dx);
}

/** What a scene asks for beyond contact, in words. */
function listMissing({ joint, dof, equality, shape }) {
  return [
    ...(joint.limited.some(Boolean) ? ['limits of joints'] : []),
    ...(dof.frictionLoss.some(Boolean) ? ['dry friction of joints'] : []),
    ...(equality.name.length > 0 ? ['equalities'] : []),
    ...(shape.surfaceMotion.some(Boolean) ? ['moving surfaces'] : []),
  ];
}

registerFormulation(HERTZ);
