import { randomUUID } from 'node:crypto'
import { chmod, link, mkdir, open, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { systemErrorCode } from '../errors/index.ts'

/**
 * Writes a secret for its owner alone (0600, in a folder of 0700), unless there is a file already. It is written whole under another
 * name and then linked: of several writers at once one wins, and nobody ever reads half a secret.
 * @returns whether this call made the file
 */
export async function writeSecretFile(path: string, text: string): Promise<boolean> {
  const folder = dirname(path)
  // Under root the embedded engine works as another account, which has to pass through the data directory.
  await mkdir(dirname(folder), { recursive: true, mode: 0o711 })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `.${basename(path)}-${randomUUID()}`)
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    return await linkUnlessTaken(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Gives a file a second name; false when that name is taken. */
export async function linkUnlessTaken(path: string, name: string): Promise<boolean> {
  try {
    await link(path, name)
    return true
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Takes everybody else's rights from a secret's file: a restored backup may have opened it up. */
export async function closeToOthers(path: string): Promise<void> {
  if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600)
}
