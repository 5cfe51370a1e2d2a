import { lookup } from 'node:dns'
import { connect as connectTcp, isIP } from 'node:net'
import type { connect as connectTls } from 'node:tls'
import type { IClientOptions, MqttClient } from 'mqtt'
import { withTimeLimit } from '../concurrency/index.ts'
import { AppError } from '../errors/index.ts'
import { isAddressAllowed, type OutboundTrust } from './address-guard.ts'
import { hostRefusedError } from './check-url.ts'
import { outboundErrors } from './errors.ts'
import { guardedLookup, type ResolveName } from './guarded-lookup.ts'

export type MqttMessage = {
  /** `mqtt://host[:port]` or `mqtts://host[:port]`. */
  url: string
  trust: OutboundTrust
  username?: string | undefined
  password?: string | undefined
  topic: string
  payload: string
  isRetained: boolean
  /** Time limit of the whole exchange: DNS, connection, TLS, login and acknowledgement. */
  timeoutMilliseconds: number
}

/** Refusals of a broker by MQTT return code. */
const REFUSALS: Readonly<Record<number, string>> = {
  1: 'it does not speak this version of MQTT',
  2: 'it refuses the client id',
  3: 'it is not available',
  4: 'it refuses the user name or password',
  5: 'it does not authorise this client',
}

/**
 * Publishes one message to an MQTT broker with QoS 1 (at least once); resolves when the broker has acknowledged it. Addresses are checked
 * like addresses of HTTP requests; the certificate of an `mqtts` broker must be valid.
 * @throws AppError `outbound_refused`, `outbound_unreachable`, `outbound_timeout`; the signal's reason
 */
export async function publishMqttMessage(
  message: MqttMessage,
  signal?: AbortSignal,
  resolveName: ResolveName = lookup,
): Promise<void> {
  const url = checkBrokerUrl(message.url, message.trust)
  // Loaded on demand: most processes never publish a message, and the modules for TLS take as long to load as Node itself.
  const [{ MqttClient: Client }, tls] = await Promise.all([import('mqtt'), import('node:tls')])
  signal?.throwIfAborted()
  const client = new Client(...clientArguments(url, message, { resolveName, connectTls: tls.connect }))
  let timer: NodeJS.Timeout | undefined
  let onAbort = (): void => undefined
  try {
    // The timer starts before the connection, whose own limit is the same but is reported as an unreachable broker.
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(
        () => reject(outboundErrors.outbound_timeout({ message: `${url.host} did not answer in time.` })),
        message.timeoutMilliseconds,
      )
      onAbort = () => reject(signal?.reason as Error)
      signal?.addEventListener('abort', onAbort)
      client.on('error', (error) => reject(toOutboundError(url, error)))
      client.on('close', () => reject(toOutboundError(url, undefined)))
      // The message is sent only after the connection: a message that is queued before fails together with the connection, and its error
      // would hide the reason.
      client.once('connect', () => {
        client.publish(message.topic, message.payload, { qos: 1, retain: message.isRetained }, (error) => {
          if (error === undefined || error === null) resolve()
          else reject(toOutboundError(url, error))
        })
      })
      client.connect()
    })
    await disconnect(client)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    client.end(true)
  }
}

const DISCONNECT_MILLISECONDS = 500

/** The message is acknowledged, so that a failed disconnect is ignored. */
async function disconnect(client: MqttClient): Promise<void> {
  const ended = new Promise<void>((resolve) => client.end(false, () => resolve()))
  await withTimeLimit(ended, { milliseconds: DISCONNECT_MILLISECONDS, onTimeout: () => undefined })
}

/**
 * Parses the address of a broker and checks what is known before DNS resolution.
 * @throws AppError `outbound_refused`
 */
export function checkBrokerUrl(text: string, trust: OutboundTrust): URL {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'mqtt:' && url.protocol !== 'mqtts:') || url.hostname === '') {
    throw outboundErrors.outbound_refused({ message: 'The address of a broker begins with mqtt:// or mqtts://.' })
  }
  if (url.username !== '' || url.password !== '') {
    throw outboundErrors.outbound_refused({ message: 'An address must not contain a user name or password.' })
  }
  // The URL parser recognises numeric hosts as addresses only for http and https.
  const host = URL.parse(`http://${url.host}`)?.hostname.replace(/^\[(.*)\]$/, '$1') ?? ''
  if (host === '' || (isIP(host) !== 0 && !isAddressAllowed(host, trust))) throw hostRefusedError(url.hostname)
  return url
}

/** The arguments of a client: how it opens its connection, and its options. */
function clientArguments(
  url: URL,
  message: MqttMessage,
  { resolveName, connectTls: openTls }: { resolveName: ResolveName; connectTls: typeof connectTls },
): ConstructorParameters<typeof MqttClient> {
  const host = URL.parse(`http://${url.host}`)?.hostname.replace(/^\[(.*)\]$/, '$1') ?? url.hostname
  const isSecure = url.protocol === 'mqtts:'
  const port = url.port === '' ? (isSecure ? 8883 : 1883) : Number(url.port)
  const target = { host, port, lookup: guardedLookup(message.trust, resolveName) }
  const name = isIP(host) === 0 ? { servername: host } : {}
  const open = () => (isSecure ? openTls({ ...target, ...name }) : connectTcp(target))
  const options: IClientOptions = {
    protocol: isSecure ? 'mqtts' : 'mqtt',
    manualConnect: true,
    reconnectPeriod: 0,
    connectTimeout: message.timeoutMilliseconds,
    ...(message.username === undefined ? {} : { username: message.username }),
    ...(message.password === undefined ? {} : { password: message.password }),
  }
  return [open, options]
}

function toOutboundError({ host }: URL, error: unknown): AppError {
  if (error instanceof AppError) return error
  const code = (error as { code?: unknown } | undefined)?.code
  const refusal = typeof code === 'number' ? REFUSALS[code] : undefined
  if (refusal !== undefined) return outboundErrors.outbound_refused({ message: `${host}: ${refusal}.`, cause: error })
  return outboundErrors.outbound_unreachable({ message: `${host} cannot be reached.`, cause: error })
}
