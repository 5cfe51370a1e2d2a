import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, systemErrorCode } from '../../platform/errors/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { openArchive } from '../archive/read-archive.ts'
import { ENCRYPTED_SUFFIX, timeOfName } from './backup-file.ts'

const DAY_MILLISECONDS = 86_400_000

type NewestArchive = { name: string; time: Date; bytes: number }

/**
 * The newest archive of a folder whose structure is valid; contents are not read. An archive that is dated more than a day in the future is
 * ignored, because the clock was wrong when it was made.
 */
export async function newestArchive(folder: string, clock: Clock): Promise<NewestArchive | undefined> {
  for (const archive of await datedArchives(folder, clock)) {
    const path = join(folder, archive.name)
    const bytes = await sizeOf(path)
    if (bytes === undefined) continue
    if (archive.name.endsWith(ENCRYPTED_SUFFIX) || (await isWhole(path))) return { ...archive, bytes }
  }
  return undefined
}

/** The name of the newest archive, even if it is damaged. */
export async function newestName(folder: string, clock: Clock): Promise<string | undefined> {
  return (await datedArchives(folder, clock))[0]?.name
}

async function datedArchives(folder: string, clock: Clock): Promise<{ name: string; time: Date }[]> {
  const latest = new Date(clock.now().getTime() + DAY_MILLISECONDS)
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return []
    throw error
  })
  const timed = names.flatMap((name) => {
    const time = timeOfName(name)
    return time === undefined || time > latest ? [] : [{ name, time }]
  })
  return timed.toSorted((a, b) => b.time.getTime() - a.time.getTime())
}

/** Undefined if it was removed meanwhile, or cannot be read. */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (systemErrorCode(error) !== undefined) return undefined
    throw error
  }
}

async function isWhole(path: string): Promise<boolean> {
  try {
    await (await openArchive(path)).close()
    return true
  } catch (error) {
    if (error instanceof AppError || systemErrorCode(error) !== undefined) return false
    throw error
  }
}
