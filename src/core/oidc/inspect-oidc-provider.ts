import { AppError } from '../platform/errors/index.ts'
import type { Config } from '../platform/config/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Outbound } from '../platform/outbound/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { createOidcProvider, deepestErrorMessage } from './oidc-provider.ts'

/** What an examination of the provider found. */
export type ProviderExamination =
  | { issuer: string; clockDifferenceSeconds: number | undefined }
  /** Why it cannot be used. */
  | { problem: string }

/**
 * Asks the provider for its description.
 * @returns its issuer, and by how much its clock differs; undefined if no provider is configured
 * @throws AppError `invalid_config`
 */
export async function inspectOidcProvider({
  config,
  clock,
  log,
  outbound,
}: {
  config: Config
  clock: Clock
  log: Logger
  outbound: Outbound
}): Promise<ProviderExamination | undefined> {
  let date: string | undefined
  const send: Outbound['send'] = async (request, signal) => {
    const reply = await outbound.send(request, signal)
    date = reply.headers['date']
    return reply
  }
  const provider = createOidcProvider({ config, clock, log, outbound: { ...outbound, send } })
  if (provider === undefined) return undefined
  try {
    const { issuer } = await provider.metadata()
    const milliseconds = Date.parse(date ?? '') - clock.now().getTime()
    return { issuer, clockDifferenceSeconds: Number.isNaN(milliseconds) ? undefined : Math.round(milliseconds / 1000) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { problem: deepestErrorMessage(error.cause ?? error) }
  }
}
