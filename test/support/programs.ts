import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The reason to skip a test that needs an optional program; false if it is installed. */
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
