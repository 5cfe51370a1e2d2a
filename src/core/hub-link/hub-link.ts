import { LRUCache } from 'lru-cache'
import type { SignedInAccount } from '../accounts/index.ts'
import type { EnrolmentSource } from './enrolment/enrolment-source.ts'
import { watchEnrolment } from './enrolment/watch-enrolment.ts'
import { createHeartbeats, type HeartbeatServices, type HeartbeatState } from './heartbeats/heartbeats.ts'
import { createHubClient } from './hub-client.ts'
import { proveIdentity, type IdentityProof, type IdentityQuestion } from './identity/prove-identity.ts'
import { createMemberSignIn } from './members/members.ts'
import { readEnrolmentTimes } from './pairing.ts'
import { createHubKeys } from './tokens/hub-keys.ts'
import { createServerTokenVerifier, type ServerToken } from './tokens/server-token.ts'

/** What is known about the hub of this server. */
export type HubLinkStatus = HeartbeatState & {
  isPaired: boolean
  hubUrl: string | null
  serverId: string | null
  enrolledAt: Date | null
  /** When the enrolment ends unless it is renewed. */
  expiresAt: Date | null
}

/** A user of the hub who is signed in at this server by a token of the hub. */
export type HubIdentity = {
  /** Never with the rights of an administrator. */
  account: SignedInAccount
  sessionId: string
  /** Expiry of the token in Unix seconds. */
  expiresAt: number
}

/** The connection of this server to its hub. */
export type HubLink = {
  enrolment: EnrolmentSource
  /** Begins to send heartbeats while the server is paired, and to notice pairings by commands. */
  start(input: { serverPort: number }): void
  status(): HubLinkStatus
  /**
   * Sends a heartbeat now.
   * @throws AppError `not_paired`, `hub_unreachable`, `hub_refused`
   */
  sendHeartbeat(): Promise<Date>
  /**
   * Makes all tokens of this server at the hub invalid and gets a new one: for a server whose tunnel was replaced by another.
   * @throws AppError `not_paired`, `hub_unreachable`, `hub_refused`
   */
  renew(): Promise<void>
  /** The user of a token of the hub. Undefined for a token that is not valid here, also while the keys of the hub cannot be read. */
  identify(token: string): Promise<HubIdentity | undefined>
  /**
   * Proves at one of its addresses that this is the server that the hub knows. Undefined for another server, and for a host that is not
   * one of its addresses.
   * @throws AppError `server_key_unusable`
   */
  proveIdentity(question: IdentityQuestion): Promise<IdentityProof | undefined>
  stop(): Promise<void>
}

/** A person may have got access since the last heartbeat: the hub is queried again, but for one token not more often than this. */
const ASKED_MILLISECONDS = 5000

const MAX_ASKED = 1000

/** Creates the connection; nothing is sent before `start`. */
export function createHubLink(services: HeartbeatServices): HubLink {
  const { config, clock } = services
  const enrolment = watchEnrolment({ config })
  const heartbeats = createHeartbeats(services, enrolment)
  const signInMember = createMemberSignIn(services)
  const asked = new LRUCache<string, Promise<void>>({
    max: MAX_ASKED,
    ttl: ASKED_MILLISECONDS,
    perf: { now: () => clock.monotonicMilliseconds() },
  })
  let checking: { hubUrl: string; check: ReturnType<typeof createServerTokenVerifier> } | undefined

  /** The keys of an earlier hub are not those of this one. */
  function tokenCheck(hubUrl: string): ReturnType<typeof createServerTokenVerifier> {
    if (checking?.hubUrl !== hubUrl) {
      const keys = createHubKeys({ clock }, () => createHubClient(services, hubUrl).readKeySet())
      checking = { hubUrl, check: createServerTokenVerifier({ clock, keys }) }
    }
    return checking.check
  }

  /** Concurrent requests of a person wait for the same answer. A hub makes tokens only for people with access: a later token is news. */
  function askAbout({ hubUserId, issuedAt }: ServerToken): Promise<void> {
    const key = `${hubUserId} ${issuedAt}`
    const known = asked.get(key)
    if (known !== undefined) return known
    const answer = heartbeats.sendAnother()
    asked.set(key, answer)
    return answer
  }

  async function identify(token: string): Promise<HubIdentity | undefined> {
    const stored = enrolment.stored()
    if (stored === undefined) return undefined
    const read = await tokenCheck(stored.hubBaseUrl)(token, stored.serverId).catch(() => undefined)
    if (read === undefined) return undefined
    const input = { token: read, ownerAccountId: stored.ownerAccountId }
    let member = await signInMember(input)
    if (member === undefined) {
      await askAbout(read)
      member = await signInMember(input)
    }
    return member === undefined ? undefined : { ...member, expiresAt: read.expiresAt }
  }

  return {
    enrolment,
    identify,
    async proveIdentity(question) {
      const stored = enrolment.stored()
      return stored === undefined ? undefined : proveIdentity({ config, clock }, stored, question)
    },
    sendHeartbeat: () => heartbeats.send(),
    renew: () => heartbeats.renew(),
    start: (input) => heartbeats.start(input),
    stop: () => heartbeats.stop(),
    status() {
      const stored = enrolment.stored()
      return {
        ...heartbeats.state(),
        isPaired: stored !== undefined,
        hubUrl: stored?.hubBaseUrl ?? null,
        serverId: stored?.serverId ?? null,
        enrolledAt: stored?.enrolledAt ?? null,
        expiresAt: stored === undefined ? null : readEnrolmentTimes(stored).expiresAt,
      }
    },
  }
}
