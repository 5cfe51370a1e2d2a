import type { Config } from '../platform/config/index.ts'
import { AppError } from '../platform/errors/index.ts'
import { checkUrlAndDns, type OutboundTrust } from '../platform/outbound/index.ts'
import { invalidUrlError } from './errors.ts'

/** The trust level of webhook addresses: an administrator with HTTP access may not reach private networks unless that is configured. */
export function webhookTrust({ options }: Config): OutboundTrust {
  return options['webhooks.allow_private'] ? 'configured' : 'public'
}

/**
 * Validates the address of a webhook. Each delivery is checked again when it is sent.
 * @throws AppError `invalid_url` with the reason
 */
export async function checkWebhookUrl(config: Config, text: string): Promise<void> {
  try {
    const url = await checkUrlAndDns(text, webhookTrust(config))
    refuseOwnServerAddress(config, url)
  } catch (error) {
    if (error instanceof AppError && error.code === 'outbound_refused') {
      throw invalidUrlError(error.message, { cause: error, hint: await privateHint(text) })
    }
    throw error
  }
}

/** What to set if an address is refused only because it is in a private network. */
async function privateHint(text: string): Promise<string | undefined> {
  const isPrivate = await checkUrlAndDns(text, 'configured').then(
    () => true,
    () => false,
  )
  if (!isPrivate) return undefined
  return 'set WEBHOOKS_ALLOW_PRIVATE=true, or allow_private = true in [webhooks] of config.toml, to permit addresses in private networks'
}

const LOOPBACK = /^(?:localhost\.?|127\.\d+\.\d+\.\d+|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/

/**
 * Refuses the ports of this server on this machine, because deliveries that cause deliveries would never end.
 * @throws AppError `invalid_url`
 */
export function refuseOwnServerAddress({ options }: Config, url: URL): void {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  const isOwnPort = port === options['server.port'] || port === options['server.websocket_port']
  if (!isOwnPort || !LOOPBACK.test(url.hostname)) return
  throw invalidUrlError('A webhook must not lead to this server.')
}
