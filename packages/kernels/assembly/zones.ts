/** Parts of a law in which its Hessian has one form: where nothing pushes, where all is quadratic, at a bound, on the cone. */
export const OPEN: i32 = 0;
export const QUADRATIC: i32 = 1;
export const LOW: i32 = 2;
export const HIGH: i32 = 3;
export const SLIDE: i32 = 4;
