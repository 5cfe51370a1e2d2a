import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configErrors } from './errors.ts'
import { loadConfig } from './load.ts'
import type { OptionPath } from './options.ts'

export type ImportedOptions = {
  path: string
  /** The options that the file sets. */
  options: OptionPath[]
  /** Where the previous file was moved; null if there was none. */
  previous: string | null
}

export type ImportInput = {
  dataDirectory: string
  toml: string
  /** Replaces an existing file, which is kept beside it. */
  force: boolean
  /** Only validates. */
  isDryRun: boolean
}

/**
 * Makes a text the configuration file of a data directory. It is validated first and then put in place at once, with mode 0600.
 * @throws AppError `invalid_config` with every problem; `config_exists` without `force`
 */
export function importOptions({ dataDirectory, toml, force, isDryRun }: ImportInput): ImportedOptions {
  const path = join(dataDirectory, 'config.toml')
  const isThere = existsSync(path)
  mkdirSync(dataDirectory, { recursive: true, mode: 0o711 })
  const draft = join(dataDirectory, `.config-${randomUUID()}.toml`)
  writeFileSync(draft, toml, { mode: 0o600 })
  try {
    const { origins } = loadConfig({ dataDirectory, configFile: draft, environment: {} })
    const options = (Object.keys(origins) as OptionPath[]).filter((name) => origins[name] !== 'default')
    if (isThere && !force) throw configErrors.config_exists({ message: `${path} exists` })
    const previous = isThere ? `${path}.old` : null
    if (!isDryRun) {
      if (previous !== null) renameSync(path, previous)
      renameSync(draft, path)
    }
    return { path, options, previous }
  } finally {
    rmSync(draft, { force: true })
  }
}
