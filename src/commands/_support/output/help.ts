import type { Command } from '@oclif/core/command'
import { CommandHelp, Help, type HelpSectionRenderer } from '@oclif/core/help'
import type { Config, HelpOptions, Topic } from '@oclif/core/interfaces'
import { EXIT_CODES } from '../exit-codes.ts'

type Section = { generate: HelpSectionRenderer; header: string }

/** Order of the sections. oclif's own order starts with the flags and ends with the examples. */
const ORDER = [
  'USAGE',
  'EXAMPLES',
  'ARGUMENTS',
  'FLAGS',
  'DESCRIPTION',
  'ALIASES',
  'FLAG DESCRIPTIONS',
  'EXIT CODES',
  'MORE',
]

/** Summaries of the topics. Without them oclif shows the summary of the first command of a topic. A test checks that none is missing. */
const TOPICS: Readonly<Record<string, string>> = {
  apikey: 'API keys for programs of a user: create, list, revoke.',
  backup: 'Backups: create, list, verify, restore, prune, copy to a bucket and back.',
  cache: 'The cache of stream segments on disk: statistics, cleaning.',
  collection: 'Collections of items: list, refresh.',
  config: 'Options: show, get, set in the database, unset, validate, export, import.',
  device: 'Devices on which users are signed in: list, sign out.',
  hub: 'Remote access: run a hub, pair this server with one.',
  'hub:server': 'Servers of the hub: list, disable.',
  'hub:user': 'Accounts of the hub: create.',
  hwaccel: 'Hardware encoders of ffmpeg: list, test.',
  invite: 'Invite codes for registration: create, list, revoke.',
  job: 'Jobs of libraries: list, show, cancel, retry.',
  key: 'The server’s signing key: show, replace.',
  library: 'Libraries: create, change, scan, check, delete.',
  logs: 'The log of the server: its last lines.',
  markers: 'Skip markers: run waiting analysis jobs.',
  media: 'Items and files: list, show, match, edit, inspect, remove repeated rows.',
  network: 'The router: external address, forwarded port.',
  notify: 'Notifications by chat and push services: create, list, test, delete.',
  playlist: 'Smart playlists: list, show rules, preview.',
  plugin: 'Plugins: catalogues, install, enable, configure, update, write a new one.',
  profile: 'Profiles of accounts: list, create, limit, PIN, delete, explain.',
  request: 'Requests of users for missing titles: list, approve, deny.',
  scrobbler: 'Last.fm, ListenBrainz and Trakt: connect accounts, list, disconnect.',
  session: 'Sessions of accounts and players: list, end, control, remove repeated positions.',
  share: 'Links for people without an account: create, list, revoke.',
  setup: 'The first account of a new server: setup code.',
  source: 'Properties of media files: read missing ones.',
  stats: 'Statistics of plays, by day, item and account.',
  systemd: 'Units of systemd for this installation.',
  transcode: 'Transcode jobs: list, cancel.',
  user: 'Accounts: create, change, limit, delete, reset a password.',
  webhook: 'Webhooks to other programs: create, list, test, delete.',
}

/** The first commands of a new user, in this order. */
const FIRST_STEPS = [
  'phlix serve',
  'phlix user:create ada --email ada@example.org --admin',
  'phlix config:set metadata.tmdb.api_key -',
  'phlix library:create Films --type movie --path /media/films',
  'phlix library:status',
  'phlix media:list --search "the third man"',
  'phlix help library:scan',
]

function described(topic: Topic): Topic {
  const description = TOPICS[topic.name] ?? topic.description
  return description === undefined ? topic : { ...topic, description }
}

class CommandPage extends CommandHelp {
  /**
   * oclif prints `...` after the arguments of commands that are not strict. These commands refuse extra arguments (see base-command.ts), so
   * the dots are omitted.
   */
  constructor(command: Command.Loadable, config: Config, opts: HelpOptions) {
    super({ ...command, strict: true }, config, opts)
  }

  protected override sections(): Section[] {
    const sections: Section[] = [
      ...super.sections(),
      { header: 'EXIT CODES', generate: ({ cmd }, header) => [{ header, body: describeExitCodes(cmd) }] },
      { header: 'MORE', generate: ({ cmd }) => describeMore(cmd) },
    ]
    return sections.toSorted((a, b) => ORDER.indexOf(a.header) - ORDER.indexOf(b.header))
  }

  /** The summary is already the first line of the page. */
  protected override description(): string | undefined {
    const { description } = this.command
    return description === undefined ? undefined : this.wrap(description)
  }

  /** Only the command's own flags; the shared flags have their own section. */
  protected override defaultUsage(): string {
    const { command } = this
    const own = Object.entries(command.flags).filter(([, flag]) => flag.helpGroup !== 'GLOBAL')
    this.command = { ...command, flags: Object.fromEntries(own) }
    try {
      return super.defaultUsage()
    } finally {
      this.command = command
    }
  }
}

/**
 * The help pages: examples first, then flags, then exit codes. Commands are printed with a colon, as documented; a space instead of the
 * colon is accepted but not shown.
 */
export default class PhlixHelp extends Help {
  protected override CommandHelpClass = CommandPage

  override formatRoot(): string {
    const examples = this.section('EXAMPLES', FIRST_STEPS.map((line) => `$ ${line}`).join('\n'))
    return `${super.formatRoot()}\n\n${examples}`
  }

  protected override get sortedTopics(): Topic[] {
    return super.sortedTopics.map(described)
  }

  protected override formatTopic(topic: Topic): string {
    return super.formatTopic(described(topic))
  }

  override async showHelp(argv: string[]): Promise<void> {
    const subject = argv.filter((word) => !word.startsWith('-'))
    const normalised =
      this.config.topicSeparator === ':' ? argv : [longestCommand(subject, this.config.commandIDs), ...argv]
    this.config.topicSeparator = ':'
    await super.showHelp(normalised.filter((word) => word !== ''))
  }
}

/** `['library', 'scan', 'Films']` → `library:scan`: the longest prefix that is a command or a topic. */
function longestCommand(words: readonly string[], ids: readonly string[]): string {
  for (let count = words.length; count > 0; count--) {
    const id = words.slice(0, count).join(':')
    if (ids.some((known) => known === id || known.startsWith(`${id}:`))) return id
  }
  return words[0] ?? ''
}

function describeExitCodes(command: Command.Loadable): [string, string][] | undefined {
  const codes: unknown = command['exitCodes']
  if (!Array.isArray(codes) || codes.length === 0) return undefined
  return EXIT_CODES.filter(({ code }) => codes.includes(code)).map(({ code, when }) => [String(code), when])
}

/** What a second run of a command does; undefined for a command that is not of this product. */
export function describeRepetition(isIdempotent: unknown): string | undefined {
  if (isIdempotent === true) return 'Safe to run again.'
  if (isIdempotent === false) return 'Not safe to run again: each run has a further effect.'
  return isIdempotent === 'not_found' ? 'A second run changes nothing and fails: it finds nothing.' : undefined
}

function describeMore(command: Command.Loadable): string | undefined {
  const safe = describeRepetition(command['isIdempotent'])
  return safe && `${safe} docs/commands.md has all commands, \`phlix exit-codes\` all exit codes.`
}
