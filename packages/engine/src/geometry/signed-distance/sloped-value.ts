/**
 * A number with its gradient, for solids that are made from others: the value of A ∩ B is max(a, b), of A ∪ B min(a, b), of A \ B
 * max(a, −b), and the gradient is that of the one that was taken. Where both are equal the first stays. A blend is a union with a
 * fillet of width k: c a + (1 − c) b − k c (1 − c) with c = clamp(½ + (b − a) / 2k), whose gradient is c ∇a + (1 − c) ∇b.
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

  copy({ value, x, y, z }: SlopedValue): void {
    this.set(value, x, y, z);
  }

  /** Both solids together, with a fillet of width k between them. */
  blend(other: SlopedValue, k: number): void {
    const share = Math.min(1, Math.max(0, 0.5 + (other.value - this.value) / (2 * k)));
    const rest = 1 - share;
    this.set(
      share * this.value + rest * other.value - k * share * rest,
      share * this.x + rest * other.x,
      share * this.y + rest * other.y,
      share * this.z + rest * other.z,
    );
  }

  /** Both solids together. */
  join(value: number, x: number, y: number, z: number): void {
    if (value < this.value) this.set(value, x, y, z);
  }
}
