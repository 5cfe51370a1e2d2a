import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fchownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemErrorCode } from '../errors/index.ts'
import { processEnvironment, type Environment } from './environment.ts'
import { configErrors } from './errors.ts'
import { findConfigFile, loadConfig } from './load-config.ts'
import type { OptionPath } from './options.ts'

export type ImportedOptions = {
  path: string
  /** The options that the file sets. */
  options: OptionPath[]
  /** Where the previous file is kept; null if there was none. */
  previous: string | null
  /** The file of the machine, which is no longer read; null if it was not read before. */
  superseded: string | null
}

export type ImportInput = {
  dataDirectory: string
  toml: string
  /** Replaces an existing file, which is kept beside it, and takes precedence over the one of the machine. */
  force: boolean
  /** Whether the file is only validated and not imported. */
  isDryRun: boolean
  /** The file that the flag of the command names. */
  configFile?: string | undefined
  environment?: Environment
  /** Instead of the file in /etc. */
  machineFile?: string
}

/**
 * Makes a text the configuration file of a data directory. It is validated first and then put in place at once, with mode 0600 and the
 * owner of the data directory. A dry run changes nothing.
 * @throws AppError `invalid_config` with every problem; `config_exists` without `force` if another file counts now, and always if a flag or
 * the environment names one, which would take precedence
 */
export function importOptions(input: ImportInput): ImportedOptions {
  const { dataDirectory, toml, force, isDryRun, environment = processEnvironment(), machineFile } = input
  const path = join(dataDirectory, 'config.toml')
  const options = validate(dataDirectory, toml)
  const used = findConfigFile(input, environment, dataDirectory, machineFile)
  const isNamed = used !== findConfigFile({}, {}, dataDirectory, machineFile)
  if (used !== undefined && isNamed && used !== path) {
    throw configErrors.config_exists({
      message: `--config or PHLIX_CONFIG names ${used}, which takes precedence over ${path}`,
      hint: `change ${used}, or remove --config and PHLIX_CONFIG`,
    })
  }
  if (used !== undefined && !force) {
    const message = used === path ? `${path} exists` : `${used} is the configuration file; ${path} would replace it`
    throw configErrors.config_exists({ message })
  }
  const previous = existsSync(path) ? freeName(`${path}.old`) : null
  if (!isDryRun) putInPlace({ dataDirectory, path, toml, previous })
  return { path, options, previous, superseded: used === undefined || used === path ? null : used }
}

/** The options that a text sets. The text is read from a private folder, so that the data directory is not changed. */
function validate(dataDirectory: string, toml: string): OptionPath[] {
  const folder = mkdtempSync(join(tmpdir(), 'phlix-config-'))
  try {
    const draft = join(folder, 'config.toml')
    writeFileSync(draft, toml, { mode: 0o600 })
    const { origins } = loadConfig({ dataDirectory, configFile: draft, environment: {} })
    return (Object.keys(origins) as OptionPath[]).filter((name) => origins[name] !== 'default')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Placement = { dataDirectory: string; path: string; toml: string; previous: string | null }

/** Replaces the file atomically: at any moment the path refers to the old file or the new file. */
function putInPlace({ dataDirectory, path, toml, previous }: Placement): void {
  mkdirSync(dataDirectory, { recursive: true, mode: 0o711 })
  const draft = join(dataDirectory, `.config-${randomUUID()}.toml`)
  try {
    writeDraft(draft, { toml, dataDirectory })
    if (previous !== null) keep(path, previous)
    renameSync(draft, path)
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error
    throw configErrors.config_exists({ message: `${previous ?? draft} was just made by another process`, cause: error })
  } finally {
    rmSync(draft, { force: true })
  }
}

function writeDraft(draft: string, { toml, dataDirectory }: Pick<Placement, 'toml' | 'dataDirectory'>): void {
  const descriptor = openSync(draft, 'wx', 0o600)
  try {
    writeFileSync(descriptor, toml, { flush: true })
    if (process.getuid?.() !== 0) return
    const { uid, gid } = statSync(dataDirectory)
    // The owner is set by descriptor, because the owner of the directory could replace the name by a link to another file.
    fchownSync(descriptor, uid, gid)
  } finally {
    closeSync(descriptor)
  }
}

/** Gives a file a second name. Linux forbids that for files of other accounts, and some file systems have no links: then it is copied. */
function keep(path: string, previous: string): void {
  try {
    linkSync(path, previous)
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') throw error
    copyFileSync(path, previous, constants.COPYFILE_EXCL)
  }
}

/** The name, or the first of `NAME.1`, `NAME.2`, … that no file has. */
function freeName(name: string): string {
  for (let number = 0; ; number += 1) {
    const candidate = number === 0 ? name : `${name}.${number}`
    if (!existsSync(candidate)) return candidate
  }
}
