// What pictures, plots and tables show of a motion, from the kernels: poses, vectors, reactions, energies, drift.

export function observe(kernels, problem, names, motion) {
  const { heap } = kernels;
  const { nq, nv, bodies } = problem;
  const { count, model, t, q, u } = motion;
  const data = heap.take(heap.view(model)[names.layout.DATA_SIZE]);
  kernels.call("reset_data", model, data);
  const found = problem.equations > 0 ? held(kernels, problem, motion, data) : free(kernels, problem, motion, data);
  const position = heap.take(count, bodies, 3);
  const quaternion = heap.take(count, bodies, 4);
  const vectors = heap.take(count, bodies, names.vectors.WIDTH);
  const totals = heap.take(count, 8);
  kernels.call("body_poses", model, data, q, position, quaternion);
  kernels.call("body_vectors", model, data, q, u, found.ud, vectors);
  kernels.call("energy_and_momenta", model, data, q, u, totals);
  return { ...found, position, quaternion, vectors, totals, t, q, u, nq, nv };
}

function free(kernels, problem, { count, model, t, q, u }, data) {
  const { heap } = kernels;
  const ud = heap.take(count, problem.nv);
  const tau = heap.take(count, problem.nv);
  const effort = heap.take(count, problem.nv);
  const reactions = heap.take(count, problem.bodies, 6);
  kernels.call("forward_dynamics_frames", model, data, t, q, u, tau, ud);
  kernels.call("inverse_dynamics", model, data, t, q, u, ud, effort, reactions);
  return { ud, reactions };
}

function held(kernels, problem, { count, model, t, q, u, rank }, data) {
  const { heap } = kernels;
  const { nq, nv, bodies, equations, rows } = problem;
  const size = nq + nv + 1;
  const states = heap.take(count, size);
  const y = heap.view(states);
  for (let k = 0; k < count; k++) {
    y.set(heap.view(q).subarray(k * nq, (k + 1) * nq), k * size);
    y.set(heap.view(u).subarray(k * nv, (k + 1) * nv), k * size + nq);
  }
  const tau = heap.take(count, nv);
  const width = 4 * equations + rows;
  const found = heap.take(count, width);
  const jacobian = heap.take(count, equations, nv);
  const rates = heap.take(count, size);
  kernels.call("observe_frames", model, data, t, states, tau, found, jacobian, rates);
  const ud = heap.take(count, nv);
  const multiplier = heap.take(count, equations);
  const feet = heap.take(count, rows);
  const values = heap.take(count, equations);
  for (let k = 0; k < count; k++) {
    const row = heap.view(found).subarray(k * width, (k + 1) * width);
    heap.view(ud).set(heap.view(rates).subarray(k * size + nq, k * size + nq + nv), k * nv);
    heap.view(values).set(row.subarray(0, equations), k * equations);
    heap.view(multiplier).set(row.subarray(3 * equations, 4 * equations), k * equations);
    heap.view(feet).set(row.subarray(4 * equations), k * rows);
  }
  if (rank < equations) {
    const room = [heap.take(equations, nv + equations), heap.take(nv + 2 * equations)];
    kernels.call("shortest_multipliers", model, multiplier, jacobian, rank, ...room);
  }
  const effort = heap.take(count, nv);
  const reactions = heap.take(count, bodies, 6);
  kernels.call("constrained_reactions", model, data, t, q, u, ud, tau, multiplier, feet, effort, reactions);
  return { ud, reactions, values, multiplier, feet, jacobian };
}
