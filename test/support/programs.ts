import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Why a claim is left out that needs a program which not every machine can install; false where it is there. */
export function unlessInstalled(program: string): string | false {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.some((folder) => isExecutable(join(folder, program))) ? false : `${program} is not on this machine`
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
