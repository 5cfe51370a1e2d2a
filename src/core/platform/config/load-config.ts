import { isJsonObject } from '../json/index.ts'
import { existsSync, readFileSync } from 'node:fs'
import { resolve, join } from 'node:path'
import { parse as parseToml, TomlError } from 'smol-toml'
import { describeError } from '../errors/index.ts'
import { defaultDataDirectory, processEnvironment, type Environment } from './environment.ts'
import { configErrors } from './errors.ts'
import { findNearestName } from './nearest-name.ts'
import type { Option } from './option-kinds.ts'
import { OPTIONS, type OptionPath, type OptionValues } from './options.ts'
import { parseTextValue, parseTypedValue, type ParsedValue } from './parse-value.ts'
import { findUnknownVariables } from './unknown-variables.ts'

/** The configuration of the process, read once at start-up and frozen. Settings that can change at run time are in the database. */
export type Config = Readonly<{
  /** Absolute path of the data directory, which contains `postgres/ keys/ cache/ backups/ plugins/ logs/ config.toml`. */
  dataDirectory: string
  /** True with NODE_ENV=production, which makes insecure secrets an error. */
  isProduction: boolean
  options: OptionValues
  /** The source of each value: `default`, `file PATH`, `environment NAME` or `flag`. */
  origins: Readonly<Record<OptionPath, string>>
}>

export type ConfigInput = {
  dataDirectory?: string | undefined
  configFile?: string | undefined
  /** Values of command-line flags, as text, by option path. */
  flags?: Partial<Record<OptionPath, string>>
  environment?: Environment
}

/** This file is read if the data directory has no `config.toml`. */
const MACHINE_CONFIG_FILE = '/etc/phlix/config.toml'

const PATHS = Object.keys(OPTIONS) as OptionPath[]

/**
 * Reads the configuration. Precedence, highest first: flag, environment, file, default.
 * @throws AppError `invalid_config` with every problem in `details.problems`
 */
export function loadConfig(input: ConfigInput = {}): Config {
  const environment = input.environment ?? processEnvironment()
  const dataDirectory = resolveDataDirectory(input.dataDirectory, environment)
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  const origins: Record<string, string> = {}
  for (const path of PATHS) {
    values[path] = OPTIONS[path].default
    origins[path] = 'default'
  }
  const take = (path: OptionPath, parsed: ParsedValue, origin: string, name: string): void => {
    if ('problem' in parsed) problems.push(`${name} ${parsed.problem}`)
    else {
      values[path] = parsed.value
      origins[path] = origin
    }
  }
  const file = findConfigFile(input, environment, dataDirectory)
  if (file !== undefined) readFileOptions(file, take, problems)
  readEnvironmentOptions(environment, take, problems)
  problems.push(...findUnknownVariables(environment))
  for (const [path, raw] of Object.entries(input.flags ?? {}) as [OptionPath, string][]) {
    take(path, parseTextValue(OPTIONS[path], raw), 'flag', path)
  }
  // ffmpeg reads % in the name of an output as a counter, and segments are written below the data directory.
  if (dataDirectory.includes('%')) problems.push(`the data directory must not have % in its path: ${dataDirectory}`)
  if (problems.length > 0) {
    throw configErrors.invalid_config({ message: problems.join('; '), details: { problems } })
  }
  return Object.freeze({
    dataDirectory,
    isProduction: environment['NODE_ENV'] === 'production',
    options: Object.freeze(values) as OptionValues,
    origins: Object.freeze(origins) as Record<OptionPath, string>,
  })
}

/**
 * The absolute path of the data directory: the given directory, or the directory from the environment. The configuration file cannot set
 * it, because the file can be in the data directory.
 */
export function resolveDataDirectory(given?: string, environment: Environment = processEnvironment()): string {
  return resolve(given ?? defaultDataDirectory(environment))
}

type Take = (path: OptionPath, parsed: ParsedValue, origin: string, name: string) => void

function readEnvironmentOptions(environment: Environment, take: Take, problems: string[]): void {
  for (const path of PATHS) {
    const option: Option = OPTIONS[path]
    // The listed names are aliases. The first one takes precedence, so it is applied last.
    for (const name of option.env.toReversed()) {
      const fromFile = environment[`${name}_FILE`]
      if (option.secret && fromFile !== undefined && fromFile !== '') {
        const secret = readSecretFile(fromFile)
        if (secret === undefined) problems.push(`${name}_FILE names a file that cannot be read: ${fromFile}`)
        else take(path, parseTextValue(option, secret), `environment ${name}_FILE`, `${name}_FILE`)
      }
      const raw = environment[name]
      if (raw !== undefined && raw !== '') take(path, parseTextValue(option, raw), `environment ${name}`, name)
    }
  }
}

function readSecretFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch {
    return undefined
  }
}

function readFileOptions(file: string, take: Take, problems: string[]): void {
  let document: Record<string, unknown>
  try {
    document = parseToml(readFileSync(file, 'utf8'))
  } catch (error) {
    throw configErrors.invalid_config({
      message: `${file} cannot be read: ${describeTomlError(error)}`,
      details: { problems: [file] },
      cause: error,
    })
  }
  for (const [path, raw] of flatten(document)) {
    if (Object.hasOwn(OPTIONS, path)) {
      take(path as OptionPath, parseTypedValue(OPTIONS[path as OptionPath], raw), `file ${file}`, path)
      continue
    }
    const near = findNearestName(path, PATHS)
    problems.push(`${path} is not an option${near === undefined ? '' : ` (did you mean ${near}?)`}`)
  }
}

/** Only the first line: the following lines of the parser's message quote the file around the error, which may include a password. */
function describeTomlError(error: unknown): string {
  const reason = describeError(error).split('\n', 1)[0] ?? ''
  return error instanceof TomlError ? `${reason} (line ${error.line})` : reason
}

/**
 * The path of the configuration file that is read; undefined if there is none. A file that is named explicitly must exist; this is checked
 * when it is read. The files in the two default locations are optional.
 */
export function findConfigFile(
  input: Pick<ConfigInput, 'configFile'>,
  environment: Environment,
  dataDirectory: string,
  machineFile = MACHINE_CONFIG_FILE,
): string | undefined {
  const named = input.configFile ?? environment['PHLIX_CONFIG']
  if (named !== undefined && named !== '') return resolve(named)
  return [join(dataDirectory, 'config.toml'), machineFile].find((path) => existsSync(path))
}

/** `{server: {rate_limit: {jwks: {max: 1}}}}` → `[['server.rate_limit.jwks.max', 1]]`. */
function* flatten(table: object, prefix = ''): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(table)) {
    if (isTable(value)) yield* flatten(value, `${prefix}${name}.`)
    else yield [`${prefix}${name}`, value]
  }
}

/** Arrays and dates are not tables. They are treated as values, and the parser of the option rejects them. */
function isTable(value: unknown): value is object {
  return isJsonObject(value) && !(value instanceof Date)
}
