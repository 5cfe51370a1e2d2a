import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The path of a file of this installation, for example `contrib/systemd/phlix.service`. It is beside package.json, whether this file runs
 * from `src` or from `dist`.
 * @returns undefined if the installation lacks it
 */
export function installedFilePath(name: string): string | undefined {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) {
      const path = join(folder, name)
      return existsSync(path) ? path : undefined
    }
  }
  return undefined
}
