/** State that all test files of a process share, so that a file must leave it as it was. */
export type ProcessState = ReadonlyMap<string, string>

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const

/** Set by native libraries when they are loaded. */
const SET_BY_LIBRARIES = new Set(['VIPSHOME'])

export function readProcessState(): ProcessState {
  const environment = Object.entries(process.env)
    .filter(([name]) => !SET_BY_LIBRARIES.has(name))
    .map(([name, value]) => [`process.env.${name}`, value ?? ''] as const)
  const listeners = SIGNALS.map((signal) => [`listeners of ${signal}`, String(process.listenerCount(signal))] as const)
  return new Map([
    ...environment,
    ...listeners,
    ['process.cwd()', process.cwd()],
    ['process.umask()', process.umask().toString(8)],
    ['process.exitCode', String(process.exitCode)],
  ])
}

/** What differs, a line each; empty when nothing does. */
export function describeChanges(before: ProcessState, after: ProcessState): string[] {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${name} was ${before.get(name) ?? 'absent'} and is ${after.get(name) ?? 'absent'}`)
}
