/** What controls of actuators mean beyond a command of their own. */

/** What the control of a motor is: its voltage, or what its controller takes. */
export const MOTOR_INPUT = { voltage: 0, position: 1, velocity: 2, force: 3 } as const;

/** Values of `ModelActuators.adds`: what a further control of the actuator before it adds to. */
export const ADDED = { none: 0, velocity: 1, force: 2, voltage: 3 } as const;
