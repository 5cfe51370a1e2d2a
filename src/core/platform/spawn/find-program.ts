import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { childEnvironment } from '../config/index.ts'

/**
 * The absolute path of the file that is executed for a program name, as the system finds it on PATH; null if there is none. An absolute path
 * is returned if it is an executable file.
 */
export function findProgram(program: string, path = childEnvironment()['PATH'] ?? ''): string | null {
  const candidates = isAbsolute(program)
    ? [program]
    : path.split(delimiter).flatMap((folder) => (isAbsolute(folder) ? [join(folder, program)] : []))
  return candidates.find(isExecutableFile) ?? null
}

function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
