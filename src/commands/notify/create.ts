import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import type { EventKind } from '../../core/outbox/index.ts'
import type { ServiceName } from '../../core/notifications/index.ts'
import { channelView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { commandErrors } from '../_support/errors.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { readSecretText } from '../_support/arguments/secret-file.ts'

const SERVICES = [
  'discord',
  'slack',
  'telegram',
  'ntfy',
  'pushover',
  'apprise',
  'mqtt',
] as const satisfies ServiceName[]
const EVENTS = [
  'playback.started',
  'playback.ended',
  'library.updated',
  'passkey.added',
  'device.added',
  'backup.completed',
  'backup.failed',
] as const satisfies EventKind[]

export default class NotifyCreate extends BaseCommand {
  static override summary = 'Create a notification channel: a chat or push service that sends messages about events.'
  static override description =
    'Settings by service: discord and slack: url; telegram: token, chat_id; ntfy: topic (server, token, username, ' +
    'password); pushover: token, user (device); apprise: url (urls, tag); mqtt: url (topic, username, password). ' +
    'Settings in brackets are optional. Values of --set are visible in the process list; --settings-file reads ' +
    'NAME=VALUE lines from a file instead.'
  static override examples = [
    '<%= config.bin %> notify:create phone --service ntfy --set topic=my-phlix',
    '<%= config.bin %> notify:create ops --service discord --settings-file discord.txt --event library.updated',
  ]
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'unique name of at most 128 characters' }),
  }
  static override flags = {
    service: Flags.option({ options: SERVICES, required: true, summary: 'The service.' })(),
    event: Flags.option({
      options: EVENTS,
      multiple: true,
      multipleNonGreedy: true,
      summary: 'An event to send; default: all events. May be given several times.',
    })(),
    set: Flags.string({
      helpValue: 'NAME=VALUE',
      multiple: true,
      multipleNonGreedy: true,
      summary: 'A setting of the service. May be given several times.',
    }),
    'settings-file': Flags.string({
      helpValue: 'FILE',
      summary: 'Read settings from a file, one NAME=VALUE a line; `-` is standard input.',
    }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, ...DATABASE_EXITS]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { args, flags } = await this.parse(NotifyCreate)
    const file = flags['settings-file']
    const lines = file === undefined ? [] : (await readSecretText(file)).split(/\r?\n/)
    const settings = readSettings([...lines.filter((line) => line.trim() !== ''), ...(flags.set ?? [])])
    const channel = await this.withServices(async (services) => {
      const { addChannel } = await import('../../core/notifications/index.ts')
      return addChannel(services, { name: args.name, service: flags.service, events: flags.event ?? [], settings })
    })
    return this.finish({ result: { channel: channelView(channel) }, text: `Created ${channel.name}.` })
  }
}

/** The last value of a repeated name counts. The error does not repeat the line, which may contain a secret. */
function readSettings(lines: readonly string[]): Record<string, string> {
  const pairs = lines.map((line) => {
    const separator = line.indexOf('=')
    if (separator < 1)
      throw commandErrors.usage({ message: 'A setting must be written as NAME=VALUE, for example topic=my-phlix' })
    return [line.slice(0, separator).trim(), line.slice(separator + 1).trim()] as const
  })
  return Object.fromEntries(pairs)
}
