import type { Config } from '../platform/config/index.ts'
import { AppError } from '../platform/errors/index.ts'
import { checkTarget, type OutboundTrust } from '../platform/outbound/index.ts'
import { refusedUrl } from './errors.ts'

/** Whom webhook addresses are from: whoever is administrator by HTTP may not look into the network unless that is configured. */
export function webhookTrust({ options }: Config): OutboundTrust {
  return options['webhooks.allow_private'] ? 'configured' : 'public'
}

/**
 * Checks where a webhook leads (SS-01, SS-02; decisions 3.7, Webhook targets). Each delivery is checked again when it is sent.
 * @throws AppError `invalid_url` with the reason
 */
export async function checkWebhookUrl(config: Config, text: string): Promise<void> {
  try {
    const url = await checkTarget(text, webhookTrust(config))
    refuseOwnAddress(config, url)
  } catch (error) {
    if (error instanceof AppError && error.code === 'outbound_refused') {
      throw refusedUrl(error.message, error)
    }
    throw error
  }
}

const LOOPBACK = /^(?:localhost\.?|127\.\d+\.\d+\.\d+|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/

/**
 * This server's own ports on this machine: deliveries that cause deliveries would never end (SS-01).
 * @throws AppError `invalid_url`
 */
export function refuseOwnAddress({ options }: Config, url: URL): void {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  const isOwnPort = port === options['server.port'] || port === options['server.websocket_port']
  if (!isOwnPort || !LOOPBACK.test(url.hostname)) return
  throw refusedUrl('A webhook must not lead to this server.')
}
