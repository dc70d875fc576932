import type { DcMotorActuator } from '../scene/actuator.ts';
import { MOTOR_INPUT } from './control-kinds.ts';
import { DC_MOTOR, type ModelActuators } from './model.ts';

/** Temperature of the surroundings and of a given resistance, °C. */
const ROOM = 25;

/**
 * The numbers of a motor; returns how many states it has. Without controller, heat, cogging and bristles its force is affine: gain K by the current
 * or, where that follows at once, K/R by the voltage, with a bias of −K²/R per speed. Otherwise dynamics/dc-motor.ts has its law.
 */
export function writeDcMotor(actuator: ModelActuators, a: number, source: DcMotorActuator): number {
  const { resistance, motorConstant, inductance = 0, currentRate = 0, cogging, bristles, thermal, controller } = source;
  const numbers = new Float64Array(DC_MOTOR.width);
  numbers[DC_MOTOR.resistance] = resistance;
  numbers[DC_MOTOR.motorConstant] = motorConstant;
  numbers[DC_MOTOR.timeConstant] = inductance / resistance;
  numbers[DC_MOTOR.currentRate] = currentRate;
  if (cogging) numbers.set([cogging.amplitude, cogging.poles, cogging.phase ?? 0], DC_MOTOR.cogging);
  if (bristles) {
    const { stiffness, damping = 0, coulomb, static: rest, stribeckVelocity } = bristles;
    numbers.set([stiffness, damping, coulomb, rest, stribeckVelocity], DC_MOTOR.bristleStiffness);
  }
  if (thermal) {
    const { resistance: toAir, capacity, coefficient = 0, reference = ROOM, ambient = ROOM } = thermal;
    numbers.set([toAir, capacity, coefficient, reference, ambient], DC_MOTOR.thermalResistance);
  }
  if (controller) {
    const { stiffness = 0, damping = 0, integral = 0, integralLimit = 0, slewRate = 0, voltageLimit = 0 } = controller;
    const input = MOTOR_INPUT[controller.input ?? 'position'];
    numbers.set([stiffness, damping, integral, integralLimit, slewRate, voltageLimit, input], DC_MOTOR.stiffness);
  }
  actuator.dcMotor.set(numbers, DC_MOTOR.width * a);
  const isPlain = !cogging && !bristles && !thermal && !controller;
  actuator.isDcMotor[a] = isPlain ? 0 : 1;
  if (isPlain) {
    actuator.gain[3 * a] = inductance > 0 ? motorConstant : motorConstant / resistance;
    actuator.bias[3 * a + 2] = inductance > 0 ? 0 : (-motorConstant * motorConstant) / resistance;
  }
  return (
    (controller?.slewRate ? 1 : 0) +
    (controller?.integral ? 1 : 0) +
    (thermal ? 1 : 0) +
    (bristles ? 1 : 0) +
    (inductance > 0 ? 1 : 0)
  );
}
