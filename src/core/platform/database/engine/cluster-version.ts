import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { databaseErrors } from '../errors.ts'
import { enginePaths } from './engine-paths.ts'
import { ENGINE_MAJOR_VERSION } from './engine-programs.ts'

/** Major version of PostgreSQL that a cluster belongs to; undefined if there is none, or none that this account can read. */
function majorVersionOf(cluster: string): string | undefined {
  try {
    return readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  } catch {
    return undefined
  }
}

/** The version of the cluster of a data directory, if it is older than that of this release. */
export function findOlderClusterVersion(dataDirectory: string): string | undefined {
  const found = majorVersionOf(enginePaths(dataDirectory).cluster)
  return found !== undefined && Number(found) < Number(ENGINE_MAJOR_VERSION) ? found : undefined
}

/** @throws AppError `engine_version` if there is a cluster of another major version */
export function requireMajorVersion(cluster: string, wanted: string): void {
  const found = majorVersionOf(cluster)
  if (found === undefined || found === wanted) return
  throw databaseErrors.engine_version({
    message: `${cluster} belongs to PostgreSQL ${found}; this release contains PostgreSQL ${wanted}.`,
    hint:
      Number(found) < Number(wanted)
        ? '`phlix migrate` upgrades it; so does `phlix serve`, unless PHLIX_RUN_MIGRATIONS is off.'
        : 'Start the release that wrote it, or a newer one.',
  })
}
