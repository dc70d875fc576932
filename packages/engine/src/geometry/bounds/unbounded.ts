/**
 * Marks an unbounded side of a box, m: large, but finite so that differences, squares and products of box coordinates stay
 * finite. An axis of a box is unbounded where its low is at most −UNBOUNDED or its high at least UNBOUNDED.
 */
export const UNBOUNDED = 1e30;
