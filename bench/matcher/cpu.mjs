/** @returns CPU milliseconds of this process while the function ran: the machine may do other things as well */
export function cpuMs(run) {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
