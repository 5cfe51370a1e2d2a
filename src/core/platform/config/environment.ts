import { homedir } from 'node:os'
import { join } from 'node:path'

export type Environment = Readonly<Record<string, string | undefined>>

/** The process environment. The only place in the product that reads it. */
export function processEnvironment(): Environment {
  return process.env
}

/** The environment of a child process: the variables that are needed to find programs and libraries, a fixed locale, no secrets. */
export function childEnvironment(environment: Environment = processEnvironment()): Record<string, string> {
  const kept: Record<string, string> = { LC_ALL: 'C.UTF-8', TZ: 'UTC' }
  for (const name of ['PATH', 'HOME', 'TMPDIR', 'LD_LIBRARY_PATH', 'LIBVA_DRIVER_NAME']) {
    const value = environment[name]
    if (value !== undefined) kept[name] = value
  }
  return kept
}

/** The default data directory: PHLIX_DATA_DIR, else `/var/lib/phlix` for root, else `$XDG_DATA_HOME/phlix`. */
export function defaultDataDirectory(environment: Environment): string {
  const chosen = environment['PHLIX_DATA_DIR']
  if (chosen !== undefined && chosen !== '') return chosen
  if (process.getuid?.() === 0) return '/var/lib/phlix'
  const share = environment['XDG_DATA_HOME']
  return join(share !== undefined && share !== '' ? share : join(homedir(), '.local', 'share'), 'phlix')
}
