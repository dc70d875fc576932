/**
 * A binary heap of nodes, smallest key first. Ties are broken by node number. It grows and never shrinks.
 * Keys are passed through the array, because the host may allocate a non-integer number that is passed to a function.
 */
export class NodeQueue {
  count = 0;
  keys: Float64Array = new Float64Array(64);
  nodes: Int32Array = new Int32Array(64);

  /** Adds a node whose key the caller has written to keys[count]; there is always room for one. */
  push(node: number): void {
    const { keys, nodes } = this;
    let k = this.count++;
    const key = keys[k];
    while (k > 0) {
      const parent = (k - 1) >> 1;
      if (keys[parent] < key || (keys[parent] === key && nodes[parent] < node)) break;
      keys[k] = keys[parent];
      nodes[k] = nodes[parent];
      k = parent;
    }
    keys[k] = key;
    nodes[k] = node;
    if (this.count === nodes.length) this.#grow();
  }

  /** Removes the first node; its key and number are read beforehand at keys[0] and nodes[0]. */
  pop(): void {
    const { keys, nodes } = this;
    const last = --this.count;
    const key = keys[last];
    const node = nodes[last];
    let k = 0;
    for (;;) {
      let child = 2 * k + 1;
      if (child >= last) break;
      const sibling = child + 1;
      if (
        sibling < last &&
        (keys[sibling] < keys[child] || (keys[sibling] === keys[child] && nodes[sibling] < nodes[child]))
      ) {
        child = sibling;
      }
      if (key < keys[child] || (key === keys[child] && node < nodes[child])) break;
      keys[k] = keys[child];
      nodes[k] = nodes[child];
      k = child;
    }
    keys[k] = key;
    nodes[k] = node;
  }

  #grow(): void {
    const keys = new Float64Array(2 * this.keys.length);
    const nodes = new Int32Array(2 * this.nodes.length);
    keys.set(this.keys);
    nodes.set(this.nodes);
    this.keys = keys;
    this.nodes = nodes;
  }
}
