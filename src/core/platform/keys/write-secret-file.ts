import { randomUUID } from 'node:crypto'
import { chmod, link, mkdir, open, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { systemErrorCode } from '../errors/index.ts'

/**
 * Writes a secret with mode 0600, in a folder of mode 0700, unless the file exists. The content is written under a temporary name and then
 * linked: one of several concurrent writers succeeds, and a partial file is never visible.
 * @returns whether this call created the file
 */
export async function writeSecretFile(path: string, text: string): Promise<boolean> {
  const folder = dirname(path)
  // Under root the embedded engine runs as another account, which must be able to traverse the data directory.
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
    return await linkUnlessExists(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Creates a second name of a file; false when the name exists. */
export async function linkUnlessExists(path: string, name: string): Promise<boolean> {
  try {
    await link(path, name)
    return true
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Removes the rights of group and others from a secret's file: a restored backup may have added them. */
export async function restrictToOwner(path: string): Promise<void> {
  if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600)
}
