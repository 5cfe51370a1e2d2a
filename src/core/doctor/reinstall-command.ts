import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installedFilePath } from '../platform/config/index.ts'
import { shellQuote } from './shell-quote.ts'

/** The folders of the Debian package and of the container. */
const DEBIAN = '/usr/lib/phlix'
const CONTAINER = '/opt/phlix'

/**
 * The shell command that completes an installation, or replaces it with a newer release, which the administrator must download first.
 * @param root folder of package.json of the installation
 */
export function reinstallCommand(root = dirname(installedFilePath('package.json') ?? '/')): string {
  if (root === DEBIAN) return 'apt-get install --reinstall ./phlix_*.deb'
  if (root === CONTAINER) return 'docker compose up --detach --build --pull always'
  if (existsSync(join(root, 'src')))
    return `npm install --prefix ${shellQuote(root)} --ignore-scripts --include=optional`
  return 'npm install --global --ignore-scripts --include=optional ./phlix-*.tgz'
}
