import { CommandHelp, Help, type Command, type HelpSectionRenderer, type Interfaces } from '@oclif/core'
import { EXIT_CODES } from './exit-codes.ts'

type Section = { generate: HelpSectionRenderer; header: string }

/** Order of the page; oclif's own starts with the flags and ends with the examples. */
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

/** What the topics hold; without this line a topic would show the summary of its first command. */
const TOPICS: Readonly<Record<string, string>> = {
  config: 'What the program is told at its start.',
  library: 'Folders of media: create, change, scan, look after.',
  key: 'The server’s own key.',
  media: 'Files and what is known of them.',
  request: 'What people ask for and the libraries lack.',
  source: 'What the streams of a file are.',
  user: 'Accounts: create, change, reset a password.',
}

function described(topic: Interfaces.Topic): Interfaces.Topic {
  const description = TOPICS[topic.name] ?? topic.description
  return description === undefined ? topic : { ...topic, description }
}

class CommandPage extends CommandHelp {
  /** Commands are not strict for oclif (see base-command.ts), but they refuse stray words: no `...` behind the arguments. */
  constructor(command: Command.Loadable, config: Interfaces.Config, opts: Interfaces.HelpOptions) {
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

  /** The summary is the page's first line already. */
  protected override description(): string | undefined {
    const { description } = this.command
    return description === undefined ? undefined : this.wrap(description)
  }

  /** Only the command's own flags; the shared ones have a section. */
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
 * The help pages: examples first, then flags, then exit codes (cli.md 2.8). Commands are written with a colon, which is the documented
 * form; the space form is only accepted.
 */
export default class PhlixHelp extends Help {
  protected override CommandHelpClass = CommandPage

  protected override get sortedTopics(): Interfaces.Topic[] {
    return super.sortedTopics.map(described)
  }

  protected override formatTopic(topic: Interfaces.Topic): string {
    return super.formatTopic(described(topic))
  }

  override async showHelp(argv: string[]): Promise<void> {
    const subject = argv.filter((word) => !word.startsWith('-'))
    const spelled =
      this.config.topicSeparator === ':' ? argv : [longestCommand(subject, this.config.commandIDs), ...argv]
    this.config.topicSeparator = ':'
    await super.showHelp(spelled.filter((word) => word !== ''))
  }
}

/** `['library', 'scan', 'Films']` → `library:scan`, or as much of it as is a command or the start of one. */
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

function describeMore(command: Command.Loadable): string | undefined {
  if (typeof command['isIdempotent'] !== 'boolean') return undefined
  const safe = command['isIdempotent'] ? 'Safe to run again.' : 'Not safe to run again: it does more each time.'
  return `${safe} docs/commands.md has all commands, \`phlix exit-codes\` all exit codes.`
}
