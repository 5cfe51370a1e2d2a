import { randomBytes } from 'node:crypto'
import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import type { EventKind } from '../../core/outbox/index.ts'
import { webhookView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { readSecretText } from '../_support/arguments/secret-file.ts'

const SECRET_BYTES = 32
const EVENTS = [
  'playback.started',
  'playback.ended',
  'library.updated',
  'passkey.added',
  'device.added',
  'backup.completed',
  'backup.failed',
] as const satisfies EventKind[]

export default class WebhookCreate extends BaseCommand {
  static override summary = 'Create a webhook: events are sent to an HTTP address.'
  static override description =
    'Deliveries are signed with the secret. Without --secret-file a random secret is generated and printed once on ' +
    'standard output. Addresses in private networks and on this machine require `webhooks.allow_private`.'
  static override examples = [
    '<%= config.bin %> webhook:create Home https://hooks.example.org/phlix',
    'printf %s "$SECRET" | <%= config.bin %> webhook:create Home https://hooks.example.org/phlix --secret-file - --event library.updated',
  ]
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'at most 128 characters' }),
    url: Args.string({ required: true, ignoreStdin: true, description: 'http or https address' }),
  }
  static override flags = {
    event: Flags.option({
      options: EVENTS,
      multiple: true,
      multipleNonGreedy: true,
      summary: 'An event to send; default: all events. May be given several times.',
    })(),
    'secret-file': Flags.string({ helpValue: 'FILE', summary: 'Read the secret from a file; `-` is standard input.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, ...DATABASE_EXITS]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { args, flags } = await this.parse(WebhookCreate)
    const file = flags['secret-file']
    const given = file === undefined ? undefined : await readSecretText(file)
    const secret = given ?? randomBytes(SECRET_BYTES).toString('base64url')
    const webhook = await this.withServices(async (services) => {
      const { createWebhook } = await import('../../core/webhooks/index.ts')
      return createWebhook(services, { name: args.name, url: args.url, secret, events: flags.event ?? EVENTS })
    })
    const done = `Created ${webhook.name}: ${webhook.id}`
    const isGenerated = given === undefined
    return this.finish({
      result: { webhook: webhookView(webhook), ...(isGenerated ? { generated: secret } : {}) },
      text: isGenerated ? describeSecret(done, secret, this.shared) : done,
      isPrintedWhenQuiet: isGenerated,
    })
  }
}

/** The text of the result. With --quiet it is only the secret, for use in scripts. */
function describeSecret(done: string, secret: string, { quiet }: { quiet: boolean }): string {
  return quiet ? secret : `${done}\nSecret, shown only now: ${secret}`
}
