import * as Flags from '@oclif/core/flags'
import { PROGRESS_MODES, type ProgressMode } from '../progress/progress.ts'

const helpGroup = 'GLOBAL'

/** The flags of every command. oclif provides `--json`. */
export const sharedFlags = {
  quiet: Flags.boolean({
    char: 'q',
    helpGroup,
    summary: 'Print nothing on success; errors are still written to stderr.',
  }),
  verbose: Flags.boolean({
    char: 'v',
    helpGroup,
    summary: 'Log to stderr: level info if given once, debug if given twice. LOG_LEVEL sets a level for all commands.',
  }),
  progress: Flags.option({
    helpGroup,
    options: PROGRESS_MODES,
    default: 'auto',
    env: 'PHLIX_PROGRESS',
    summary: 'Progress on stderr: auto is a bar on a terminal and nothing otherwise, json is one object per line.',
  })(),
  'no-color': Flags.boolean({ helpGroup, summary: 'No colours. NO_COLOR and FORCE_COLOR are supported too.' }),
  'no-input': Flags.boolean({ helpGroup, env: 'CI', summary: 'Never ask for input.' }),
  config: Flags.string({
    char: 'c',
    helpGroup,
    helpValue: 'FILE',
    summary: 'Configuration file, instead of PHLIX_CONFIG and the default paths.',
  }),
  'data-dir': Flags.string({
    helpGroup,
    helpValue: 'DIRECTORY',
    summary: 'Data directory, instead of PHLIX_DATA_DIR and the default path.',
  }),
}

/** The parsed shared flags, as the base command uses them. */
export type SharedFlags = Readonly<{
  quiet: boolean
  /** Number of -v flags. */
  verbosity: number
  progress: ProgressMode
  allowColour: boolean
  mayAsk: boolean
  configFile: string | undefined
  dataDirectory: string | undefined
}>

/** Used before the command line is parsed, and when it cannot be parsed. */
export function defaultSharedFlags(argv: readonly string[]): SharedFlags {
  return {
    quiet: false,
    verbosity: 0,
    progress: 'auto',
    allowColour: !argv.includes('--no-color'),
    mayAsk: false,
    configFile: undefined,
    dataDirectory: undefined,
  }
}

type Parsed = { flags: Record<string, unknown>; raw: readonly { type: string; flag?: string }[] }

/** oclif's boolean flags cannot be counted, so `-vv` is counted from the raw tokens. */
export function readSharedFlags({ flags, raw }: Parsed): SharedFlags {
  const text = (name: string): string | undefined => {
    const value = flags[name]
    return typeof value === 'string' ? value : undefined
  }
  return {
    quiet: flags['quiet'] === true,
    verbosity: raw.filter((token) => token.type === 'flag' && token.flag === 'verbose').length,
    progress: PROGRESS_MODES.find((mode) => mode === flags['progress']) ?? 'auto',
    allowColour: flags['no-color'] !== true,
    mayAsk: flags['no-input'] !== true,
    configFile: text('config'),
    dataDirectory: text('data-dir'),
  }
}
