/**
 * A number with its gradient, for solids that are made from others: the value of A ∩ B is max(a, b), of A ∪ B min(a, b), of A \ B
 * max(a, −b), and the gradient is that of the one that was taken. Where both are equal the first stays.
 */
export class SlopedValue {
  value: number = 0;
  x: number = 0;
  y: number = 0;
  z: number = 0;

  set(value: number, x: number, y: number, z: number): void {
    this.value = value;
    this.x = x;
    this.y = y;
    this.z = z;
  }

  /** The common part with another solid. */
  cut(value: number, x: number, y: number, z: number): void {
    if (value > this.value) this.set(value, x, y, z);
  }

  /** Both solids together. */
  join(value: number, x: number, y: number, z: number): void {
    if (value < this.value) this.set(value, x, y, z);
  }
}
