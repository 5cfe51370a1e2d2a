/** Name of the session lock that the worker of a job holds while it works; whoever can take it knows that the worker is dead. */
export function scanLockKey(scanJobId: string): string {
  return `scan:${scanJobId}`
}
