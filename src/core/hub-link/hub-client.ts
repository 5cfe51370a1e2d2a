import { z } from 'zod'
import {
  ClaimedReply,
  HeartbeatReply,
  NewClaimReply,
  PROTOCOL_HEADER,
  PROTOCOL_VERSION,
  RenewalReply,
  type HeartbeatReport,
} from '../hub-protocol/index.ts'
import { AppError } from '../platform/errors/index.ts'
import { parseJson } from '../platform/json/index.ts'
import type { PublicJwk } from '../platform/keys/index.ts'
import type { Outbound } from '../platform/outbound/index.ts'
import { hubLinkErrors } from './errors.ts'

const TIMEOUT_MILLISECONDS = 15_000
const MAX_REPLY_BYTES = 1024 * 1024

const Problem = z.object({ error: z.string().max(100), message: z.string().max(1000).optional() })
const KeySet = z.object({
  keys: z.array(z.object({ kty: z.string(), kid: z.string().optional() }).loose()).max(50),
})

/** The public keys of a hub, as it publishes them (RFC 7517). */
export type HubKeySet = z.infer<typeof KeySet>

type KeysInput = { serverId: string; keys: readonly PublicJwk[]; proof: string }

/** The calls of a home server to a hub. They throw `hub_unreachable` and `hub_refused`. */
export type HubClient = {
  openClaim(input: {
    serverName: string
    version: string
    keys: readonly PublicJwk[]
    proof: string
    hostnameCandidates: readonly string[]
  }): Promise<z.infer<typeof NewClaimReply>>
  fetchClaim(claimId: string): Promise<z.infer<typeof ClaimedReply>>
  sendHeartbeat(report: HeartbeatReport, enrolmentJwt: string): Promise<z.infer<typeof HeartbeatReply>>
  renewEnrolment(input: { serverId: string; proof: string }): Promise<string>
  replaceKeys(input: KeysInput): Promise<void>
  leave(input: { serverId: string; enrolmentJwt: string }): Promise<void>
  readKeySet(): Promise<HubKeySet>
}

type Call = { method?: 'GET' | 'POST' | 'PUT' | 'DELETE'; body?: object; token?: string }

/**
 * Creates the client for one hub.
 * @param origin without a trailing slash; an administrator has named it
 */
export function createHubClient({ outbound }: { outbound: Outbound }, origin: string, signal?: AbortSignal): HubClient {
  async function call<Reply>(path: string, schema: z.ZodType<Reply>, { method = 'GET', body, token }: Call = {}) {
    const reply = await send(path, { method, ...(body && { body }), ...(token && { token }) })
    const json = parseJson(Buffer.from(reply.body))
    if (reply.status >= 400) throw refusal(reply.status, json)
    const parsed = schema.safeParse(json)
    if (!parsed.success) throw hubLinkErrors.hub_unreachable({ message: `${origin} does not answer like a hub.` })
    return parsed.data
  }

  async function send(path: string, { method = 'GET', body, token }: Call) {
    try {
      return await outbound.send(
        {
          purpose: 'hub',
          url: `${origin}${path}`,
          trust: 'configured',
          method,
          headers: {
            accept: 'application/json',
            [PROTOCOL_HEADER]: PROTOCOL_VERSION,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          timeoutMilliseconds: TIMEOUT_MILLISECONDS,
          maximumBytes: MAX_REPLY_BYTES,
        },
        signal,
      )
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      throw hubLinkErrors.hub_unreachable({ message: error.text, cause: error })
    }
  }

  /** An error of a gateway in front of the hub says nothing about this server. */
  function refusal(status: number, json: unknown): AppError {
    const parsed = Problem.safeParse(json)
    if (!parsed.success || status >= 500) {
      return hubLinkErrors.hub_unreachable({ message: `${origin} answers with status ${status}.` })
    }
    const { error: code, message } = parsed.data
    return hubLinkErrors.hub_refused({ message: message ?? code, details: { hub_code: code } })
  }

  const server = (serverId: string): string => `/api/v1/servers/${serverId}`
  const Anything = z.unknown()
  return {
    openClaim: ({ keys, ...input }) =>
      call('/api/v1/server-claims/new', NewClaimReply, {
        method: 'POST',
        body: { ...input, publicKeysJwk: { keys }, protocolVersion: PROTOCOL_VERSION },
      }),
    fetchClaim: (claimId) => call(`/api/v1/server-claims/${encodeURIComponent(claimId)}`, ClaimedReply),
    sendHeartbeat: (report, token) =>
      call(`${server(report.serverId)}/heartbeat`, HeartbeatReply, { method: 'POST', body: report, token }),
    async renewEnrolment({ serverId, proof }) {
      const input = { method: 'POST', body: { proof } } as const
      return (await call(`${server(serverId)}/enrolment`, RenewalReply, input)).enrollment_jwt
    },
    async replaceKeys({ serverId, keys, proof }) {
      await call(`${server(serverId)}/keys`, Anything, { method: 'PUT', body: { publicKeysJwk: { keys }, proof } })
    },
    async leave({ serverId, enrolmentJwt: token }) {
      await call(`${server(serverId)}/enrolment`, Anything, { method: 'DELETE', token })
    },
    readKeySet: () => call('/.well-known/jwks.json', KeySet),
  }
}

/** The code with which a hub refused; undefined for other errors. */
export function hubErrorCode(error: unknown): string | undefined {
  if (!(error instanceof AppError)) return undefined
  const code = error.details['hub_code']
  return typeof code === 'string' ? code : undefined
}
