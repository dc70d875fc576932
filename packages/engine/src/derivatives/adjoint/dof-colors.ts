/** Colours of dofs: those that a clique has in common get different ones, first come, first served. */

/** Lists the dofs of all cliques by colour. */
export function colorDofs(cliques: ReadonlyMap<string, readonly number[]>, count: number): number[][] {
  const lists = [...cliques.values()];
  const listsOf = new Map<number, number[]>();
  lists.forEach((dofs, n) => {
    for (const dof of dofs) {
      const own = listsOf.get(dof);
      if (own) own.push(n);
      else listsOf.set(dof, [n]);
    }
  });
  const color = new Int32Array(count).fill(-1);
  const classes: number[][] = [];
  for (const dof of [...listsOf.keys()].sort((a, b) => a - b)) {
    const taken = new Set<number>();
    for (const n of listsOf.get(dof)!) for (const other of lists[n]) if (color[other] >= 0) taken.add(color[other]);
    let free = 0;
    while (taken.has(free)) free++;
    color[dof] = free;
    if (free === classes.length) classes.push([]);
    classes[free].push(dof);
  }
  return classes;
}
