/** Returns the key of the session lock that the worker of a job holds. If the lock is free, the worker is dead. */
export function scanLockKey(scanJobId: string): string {
  return `scan:${scanJobId}`
}
