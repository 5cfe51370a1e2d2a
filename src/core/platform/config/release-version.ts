import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The version of this release from package.json: `0.1.0`. */
export function releaseVersion(): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json')
    if (existsSync(file)) return String((JSON.parse(readFileSync(file, 'utf8')) as { version?: unknown }).version)
  }
  throw new Error('package.json is missing from the installation')
}
