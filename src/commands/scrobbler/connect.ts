import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { setTimeout as pause } from 'node:timers/promises'
import type { CoreServices } from '../../core/core-services.ts'
import { AppError } from '../../core/platform/errors/index.ts'
import type { Authorization, Scrobbler, ScrobbleServiceName } from '../../core/scrobbling/index.ts'
import { scrobblerView } from '../../core/views/index.ts'
import { readSecretText } from '../_support/arguments/secret-file.ts'
import { userArgument } from '../_support/arguments/user-argument.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { commandErrors } from '../_support/errors.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

const SERVICES = ['lastfm', 'listenbrainz', 'trakt'] as const satisfies ScrobbleServiceName[]

type Reference = { userId: string; service: ScrobbleServiceName }

export default class ScrobblerConnect extends BaseCommand {
  static override summary = 'Connect an account with a scrobbling service.'
  static override description =
    'Prints on standard error what the user has to do at the service, and waits until it is done. ListenBrainz has no ' +
    'such step: the token of the user, from the settings there, is read from a file. What the account plays from then ' +
    'on is reported.'
  static override examples = [
    '<%= config.bin %> scrobbler:connect ada trakt',
    '<%= config.bin %> scrobbler:connect ada listenbrainz --token-file token.txt',
  ]
  static override args = {
    user: userArgument,
    service: Args.string({ required: true, ignoreStdin: true, options: [...SERVICES], description: 'the service' }),
  }
  static override flags = {
    'token-file': Flags.string({
      helpValue: 'FILE',
      summary: 'File with the token of a user of ListenBrainz; `-` is standard input.',
    }),
  }
  static override exitCodes = [
    EXIT.ok,
    EXIT.failure,
    EXIT.usage,
    EXIT.notFound,
    EXIT.interrupted,
    EXIT.terminated,
    ...DATABASE_EXITS,
  ]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { args, flags } = await this.parse(ScrobblerConnect)
    const service = SERVICES.find((name) => name === args.service) ?? 'listenbrainz'
    const file = flags['token-file']
    if ((service === 'listenbrainz') !== (file !== undefined))
      throw commandErrors.usage({
        message: '--token-file belongs to listenbrainz, which cannot be connected without it',
      })
    const token = file === undefined ? undefined : await readSecretText(file)
    const connection = await this.withServices(async (services, { signal }) => {
      const [{ connectScrobbler }, { getNamedAccount }] = await Promise.all([
        import('../../core/scrobbling/index.ts'),
        import('../../core/accounts/index.ts'),
      ])
      const { id: userId } = await getNamedAccount(services, args.user)
      if (token !== undefined) return connectScrobbler(services, { userId, service, code: token })
      return this.waitForApproval(services, { userId, service }, signal)
    })
    return this.finish({
      result: { connection: scrobblerView(connection) },
      text: `${args.user} is connected with ${connection.serviceUsername} of ${service}.`,
    })
  }

  private async waitForApproval(services: CoreServices, reference: Reference, signal: AbortSignal): Promise<Scrobbler> {
    const { authorizeScrobbler } = await import('../../core/scrobbling/index.ts')
    const authorization = await authorizeScrobbler(services, reference.service)
    if (authorization === undefined) throw commandErrors.usage({ message: `${reference.service} needs a token` })
    const { url, userCode, expiresInSeconds } = authorization
    // On standard error, because standard output is for the result.
    this.output.message(`Open ${url} within ${Math.ceil(expiresInSeconds / 60)} minutes.`)
    if (userCode !== null) this.output.message(`Code: ${userCode}`)
    return pollUntilApproved(services, { ...reference, authorization }, signal)
  }
}

/** @throws AppError `scrobbler_not_approved` when the time of the attempt is over; the signal's reason */
async function pollUntilApproved(
  services: CoreServices,
  { authorization, ...reference }: Reference & { authorization: Authorization },
  signal: AbortSignal,
): Promise<Scrobbler> {
  const { connectScrobbler } = await import('../../core/scrobbling/index.ts')
  const { code, intervalSeconds, expiresInSeconds } = authorization
  for (let left = Math.ceil(expiresInSeconds / intervalSeconds); ; left -= 1) {
    await pause(intervalSeconds * 1000, undefined, { signal }).catch(() => signal.throwIfAborted())
    try {
      return await connectScrobbler(services, { ...reference, code })
    } catch (error) {
      const isWaiting = error instanceof AppError && error.code === 'scrobbler_not_approved'
      if (!isWaiting || left <= 1) throw error
    }
  }
}
