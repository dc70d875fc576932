/** A pointer to doubles that reads like an array. */
@unmanaged
export class Doubles {
  @inline @operator('[]') get(i: i32): f64 {
    return load<f64>(changetype<usize>(this) + ((<usize>i) << 3));
  }
  @inline @operator('[]=') set(i: i32, value: f64): void {
    store<f64>(changetype<usize>(this) + ((<usize>i) << 3), value);
  }
  @inline at(i: i32): usize {
    return changetype<usize>(this) + ((<usize>i) << 3);
  }
}

/** A pointer to 32-bit integers that reads like an array. */
@unmanaged
export class Integers {
  @inline @operator('[]') get(i: i32): i32 {
    return load<i32>(changetype<usize>(this) + ((<usize>i) << 2));
  }
  @inline @operator('[]=') set(i: i32, value: i32): void {
    store<i32>(changetype<usize>(this) + ((<usize>i) << 2), value);
  }
  @inline at(i: i32): usize {
    return changetype<usize>(this) + ((<usize>i) << 2);
  }
}
