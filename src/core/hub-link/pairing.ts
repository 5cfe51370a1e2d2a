import { decodeJwt, errors, jwtVerify } from 'jose'
import { hostname } from 'node:os'
import { z } from 'zod'
import {
  CLOCK_SKEW_SECONDS,
  HUB_ISSUER,
  parseHubOrigin,
  SERVER_AUDIENCE,
  signKeyProof,
  publicKeyHash,
} from '../hub-protocol/index.ts'
import { releaseVersion, type Config } from '../platform/config/index.ts'
import { createServerKey, publicJwk, readServerKeyPair } from '../platform/keys/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Outbound } from '../platform/outbound/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { readEnrolment, writeEnrolment, type StoredEnrolment } from './enrolment/enrolment-file.ts'
import { hubLinkErrors } from './errors.ts'
import { createHubClient, hubErrorCode, type HubClient } from './hub-client.ts'
import { listServerUrlCandidates } from './server-url-candidates.ts'
import { createHubKeys } from './tokens/hub-keys.ts'

export type PairingServices = { config: Config; clock: Clock; log: Logger; outbound: Outbound }

/** A claim that waits for a user of the hub. */
export type OpenedClaim = { hubUrl: string; claimCode: string; claimId: string; expiresInSeconds: number }

const MAX_SERVER_NAME = 100

/** Error codes of a hub for a claim that can no longer be confirmed. */
const ENDED_CODES: ReadonlySet<string> = new Set(['CLAIM_CODE_EXPIRED', 'CLAIM_CODE_NOT_FOUND'])

/**
 * The origin of the hub to use: the given origin, or the option `hub.url`.
 * @throws AppError `hub_url_missing`, `hub_url_invalid`
 */
export function resolveHubUrl({ config }: Pick<PairingServices, 'config'>, given: string | undefined): string {
  const text = (given ?? config.options['hub.url'] ?? '').trim()
  const origin = parseHubOrigin(text)
  if (origin !== undefined) return origin
  if (text === '') {
    const hint = 'phlix hub:pair --hub https://hub.example.org'
    throw hubLinkErrors.hub_url_missing({ message: 'Name the hub by its scheme and host', hint })
  }
  throw hubLinkErrors.hub_url_invalid({
    message: 'Name the hub by its scheme and host, without a path',
    hint: `phlix hub:pair --hub ${nearestOrigin(text)}`,
  })
}

/** The origin that a text probably means if it is not the origin of a hub. User name and password are left out, because they are secret. */
function nearestOrigin(text: string): string {
  const url = URL.parse(text.includes('://') ? text : `https://${text}`)
  return parseHubOrigin(url?.origin ?? '') ?? 'https://hub.example.org'
}

/**
 * Asks a hub for a code, which a user of the hub then confirms.
 * @throws AppError `hub_url_missing`, `hub_url_invalid`, `already_paired`, `hub_unreachable`, `hub_refused`, `server_key_unusable`
 */
export async function startPairing(
  services: PairingServices,
  input: { hubUrl: string | undefined; serverName?: string | undefined; serverPort: number },
  signal?: AbortSignal,
): Promise<OpenedClaim> {
  const { config, clock } = services
  const hubUrl = resolveHubUrl(services, input.hubUrl)
  if (readEnrolment({ config }) !== undefined) throw hubLinkErrors.already_paired({ hint: 'phlix hub:unpair' })
  // A server that was never started has no key yet.
  await createServerKey({ config, clock })
  const pair = await readServerKeyPair({ config })
  const proof = await signKeyProof(pair, {
    purpose: 'claim',
    audience: hubUrl,
    subject: publicKeyHash(pair),
    nowSeconds: clock.unixSeconds(),
  })
  const serverName = (input.serverName?.trim() || hostname() || 'Phlix').slice(0, MAX_SERVER_NAME)
  const claim = await createHubClient(services, hubUrl, signal).openClaim({
    serverName,
    version: releaseVersion(),
    keys: [publicJwk(pair)],
    proof,
    hostnameCandidates: listServerUrlCandidates(services, input.serverPort),
  })
  return { hubUrl, claimCode: claim.claimCode, claimId: claim.claimId, expiresInSeconds: claim.expiresIn }
}

/**
 * Asks whether the claim was confirmed, and stores the enrolment if so.
 * @param input.accountId the account that the owner at the hub acts as; null for the first administrator
 * @returns undefined while it is not confirmed
 * @throws AppError `hub_claim_ended`, `hub_unreachable`, `hub_refused`, `enrolment_invalid`
 */
export async function pollPairing(
  services: PairingServices,
  input: { hubUrl: string; claimId: string; accountId: string | null },
  signal?: AbortSignal,
): Promise<StoredEnrolment | undefined> {
  const hubUrl = resolveHubUrl(services, input.hubUrl)
  const client = createHubClient(services, hubUrl, signal)
  const reply = await client.fetchClaim(input.claimId).catch((error: unknown) => {
    throw ENDED_CODES.has(hubErrorCode(error) ?? '') ? hubLinkErrors.hub_claim_ended({ cause: error }) : error
  })
  if (reply.status === 'pending') return undefined
  const { enrollment_jwt: enrolmentJwt, hub_jwks_url: hubJwksUrl, server_id: serverId, tunnel_port: tunnelPort } = reply
  const { accountId } = input
  return completePairing(services, { hubUrl, enrolmentJwt, hubJwksUrl, serverId, accountId, tunnelPort }, signal)
}

/**
 * Checks an enrolment with the keys of the hub, and stores it.
 * @throws AppError `enrolment_invalid`, `hub_unreachable`, `hub_url_missing`, `hub_url_invalid`
 */
export async function completePairing(
  services: PairingServices,
  input: {
    hubUrl: string
    enrolmentJwt: string
    hubJwksUrl: string
    serverId: string
    accountId: string | null
    /** Without it the reply to the first heartbeat contains the port. */
    tunnelPort?: number | undefined
  },
  signal?: AbortSignal,
): Promise<StoredEnrolment> {
  const { config, clock } = services
  const hubUrl = resolveHubUrl(services, input.hubUrl)
  const client = createHubClient(services, hubUrl, signal)
  await checkEnrolmentToken({ clock, client }, input.enrolmentJwt, input.serverId)
  const { kid } = await readServerKeyPair({ config })
  const enrolment: StoredEnrolment = {
    enrolmentJwt: input.enrolmentJwt,
    hubJwksUrl: `${hubUrl}/.well-known/jwks.json`,
    serverId: input.serverId.toLowerCase(),
    hubBaseUrl: hubUrl,
    enrolledAt: clock.now(),
    keyId: kid,
    ownerAccountId: input.accountId,
    tunnelPort: input.tunnelPort ?? null,
  }
  writeEnrolment({ config }, enrolment)
  services.log.notice({ hub: hubUrl, serverId: enrolment.serverId }, 'this server is paired with a hub')
  return enrolment
}

/** @throws AppError `enrolment_invalid`, `hub_unreachable` */
export async function checkEnrolmentToken(
  { clock, client }: { clock: Clock; client: HubClient },
  token: string,
  serverId: string,
): Promise<void> {
  const keys = createHubKeys({ clock }, () => client.readKeySet())
  try {
    const { payload } = await jwtVerify(token, await keys.find({ mayBeOld: false }), {
      algorithms: ['EdDSA'],
      issuer: HUB_ISSUER,
      audience: SERVER_AUDIENCE,
      subject: serverId.toLowerCase(),
      currentDate: clock.now(),
      clockTolerance: CLOCK_SKEW_SECONDS,
      requiredClaims: ['iat', 'exp'],
    })
    if (payload['type'] !== 'enrollment') throw new errors.JWTInvalid()
  } catch (error) {
    if (error instanceof errors.JOSEError) throw hubLinkErrors.enrolment_invalid({ cause: error })
    throw error
  }
}

/** When the token of an enrolment ends, and when it began; by the clock of the hub. */
export function readEnrolmentTimes({ enrolmentJwt }: Pick<StoredEnrolment, 'enrolmentJwt'>): {
  issuedAt: Date
  expiresAt: Date
} {
  const read = TokenTimes.safeParse(decodeClaims(enrolmentJwt))
  const { iat, exp } = read.success ? read.data : { iat: 0, exp: 0 }
  return { issuedAt: new Date(iat * 1000), expiresAt: new Date(exp * 1000) }
}

const TokenTimes = z.object({ iat: z.number(), exp: z.number() })

function decodeClaims(token: string): unknown {
  try {
    return decodeJwt(token)
  } catch {
    return undefined
  }
}

/**
 * Ends the pairing: informs the hub and removes the enrolment, even if the hub does not answer.
 * @returns whether the hub has confirmed it
 * @throws AppError `not_paired`
 */
export async function endPairing(
  services: PairingServices,
  signal?: AbortSignal,
): Promise<{ hubUrl: string; serverId: string; isConfirmed: boolean }> {
  const { config, log } = services
  const enrolment = readEnrolment({ config })
  if (enrolment === undefined) throw hubLinkErrors.not_paired({ hint: 'phlix hub:pair --hub https://hub.example.org' })
  const { hubBaseUrl: hubUrl, serverId } = enrolment
  let isConfirmed = true
  try {
    await createHubClient(services, hubUrl, signal).leave(enrolment)
  } catch (error) {
    isConfirmed = false
    log.warning({ hub: hubUrl, code: hubErrorCode(error) ?? null }, 'the hub did not confirm the end of the pairing')
  }
  writeEnrolment({ config }, null)
  log.notice({ hub: hubUrl, serverId }, 'this server is not paired any more')
  return { hubUrl, serverId, isConfirmed }
}
