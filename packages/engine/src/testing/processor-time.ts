/** Processor time of this process, ms: what other work on the machine delays, it does not lengthen. */
export function readProcessorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
