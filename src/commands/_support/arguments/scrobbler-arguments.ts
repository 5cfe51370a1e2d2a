import * as Args from '@oclif/core/args'
import type { ScrobbleServiceName } from '../../../core/scrobbling/index.ts'
import { commandErrors } from '../errors.ts'

const SERVICES = ['lastfm', 'listenbrainz', 'trakt'] as const satisfies ScrobbleServiceName[]

/** `USER SERVICE`; with `--user` the service alone. */
export const scrobblerArguments = {
  user: Args.string({
    required: true,
    ignoreStdin: true,
    description: 'username or e-mail address; omitted with --user',
  }),
  service: Args.string({ ignoreStdin: true, description: SERVICES.join(', ') }),
}

/**
 * The account and the service.
 * @throws AppError `usage`
 */
export function readScrobblerArguments(
  args: { user: string; service: string | undefined },
  flag: string | undefined,
): { user: string; service: ScrobbleServiceName } {
  if (flag !== undefined && args.service !== undefined) {
    throw commandErrors.usage({ message: 'Give only one of USER and --user' })
  }
  const text = flag === undefined ? args.service : args.user
  const service = SERVICES.find((name) => name === text)
  if (service === undefined) throw commandErrors.usage({ message: `Name a service: ${SERVICES.join(', ')}` })
  return { user: flag ?? args.user, service }
}
