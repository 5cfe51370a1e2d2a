import { existsSync } from 'node:fs'
import { dirname } from 'node:path'

/** The path itself, or its nearest existing ancestor. */
export function findNearestFolder(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : findNearestFolder(dirname(path))
}
