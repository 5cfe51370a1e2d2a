import * as Flags from '@oclif/core/flags'
import { setTimeout as pause } from 'node:timers/promises'
import type { CoreServices } from '../../core/core-services.ts'
import { AppError } from '../../core/platform/errors/index.ts'
import type { ScrobbleAuthorization, Scrobbler, ScrobbleServiceName } from '../../core/scrobbling/index.ts'
import { scrobblerView } from '../../core/views/index.ts'
import { readSecretText } from '../_support/arguments/secret-file.ts'
import { readScrobblerArguments, scrobblerArguments } from '../_support/arguments/scrobbler-arguments.ts'
import { userFlag } from '../_support/arguments/user-argument.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { commandErrors } from '../_support/errors.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

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
  static override args = scrobblerArguments
  static override flags = {
    user: userFlag,
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
    const { user, service } = readScrobblerArguments(args, flags.user)
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
      const { id: userId } = await getNamedAccount(services, user)
      if (token !== undefined) return connectScrobbler(services, { userId, service, code: token })
      return this.waitForApproval(services, { userId, service }, signal)
    })
    return this.finish({
      result: { connection: scrobblerView(connection) },
      text: `${user} is connected with ${connection.serviceUsername} of ${service}.`,
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

/** @throws AppError `scrobbler_refused` when the time of the attempt is over; the signal's reason */
async function pollUntilApproved(
  services: CoreServices,
  { authorization, ...reference }: Reference & { authorization: ScrobbleAuthorization },
  signal: AbortSignal,
): Promise<Scrobbler> {
  const { connectScrobbler, nextIntervalSeconds, scrobblingErrors } = await import('../../core/scrobbling/index.ts')
  const { clock } = services
  const { code, expiresInSeconds } = authorization
  const deadline = clock.monotonicMilliseconds() + expiresInSeconds * 1000
  let { intervalSeconds } = authorization
  for (;;) {
    // The service reports when the code expires: later polls are useless.
    if (clock.monotonicMilliseconds() + intervalSeconds * 1000 >= deadline) {
      throw scrobblingErrors.scrobbler_refused({ message: 'The time for the approval is over. Begin again.' })
    }
    await pause(intervalSeconds * 1000, undefined, { signal }).catch(() => signal.throwIfAborted())
    try {
      return await connectScrobbler(services, { ...reference, code })
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'scrobbler_not_approved') throw error
      intervalSeconds = nextIntervalSeconds(intervalSeconds, error)
    }
  }
}
