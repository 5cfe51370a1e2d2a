import { signKeyProof, publicKeyHash } from '../hub-protocol/index.ts'
import type { Config } from '../platform/config/index.ts'
import { publicJwk, readServerKeyPair } from '../platform/keys/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { readEnrolment, writeEnrolment, type StoredEnrolment } from './enrolment/enrolment-file.ts'
import type { HubClient } from './hub-client.ts'
import { readEnrolmentTimes } from './pairing.ts'

type Dependencies = { config: Config; clock: Clock }

/** The part of the lifetime after which a token is renewed. */
const RENEWAL_PART = 0.5

/** Whether the token of an enrolment has less than half of its lifetime left. */
export function isEnrolmentRenewalDue(enrolment: StoredEnrolment, now: Date): boolean {
  const { issuedAt, expiresAt } = readEnrolmentTimes(enrolment)
  const lifetime = expiresAt.getTime() - issuedAt.getTime()
  return now.getTime() > issuedAt.getTime() + lifetime * RENEWAL_PART
}

/**
 * Creates the calls that prove themselves with the key of this server. Each proof has a later time than the one before, because a hub
 * accepts none twice.
 */
export function createEnrolmentRenewal({ config, clock }: Dependencies) {
  let lastProofSeconds = 0

  function nextProofSeconds(): number {
    lastProofSeconds = Math.max(clock.unixSeconds(), lastProofSeconds + 1)
    return lastProofSeconds
  }

  return {
    /**
     * Gets a new token; all older ones become invalid.
     * @throws AppError `hub_refused`, `hub_unreachable`, `server_key_unusable`
     */
    async renew(client: HubClient, enrolment: StoredEnrolment): Promise<StoredEnrolment> {
      const { serverId, hubBaseUrl, keyId } = enrolment
      const signer = await readServerKeyPair({ config }, { kid: keyId })
      const input = { audience: hubBaseUrl, subject: serverId, nowSeconds: nextProofSeconds() }
      const proof = await signKeyProof(signer, { purpose: 'renewal', ...input })
      return store(enrolment, { enrolmentJwt: await client.renewEnrolment({ serverId, proof }) })
    },

    /**
     * Tells the hub the key of this server after its rotation. The proof is signed with the key that the hub knows, whose file the
     * rotation has kept.
     * @throws AppError `hub_refused`, `hub_unreachable`, `server_key_unusable` when the old key is not kept
     */
    async announceKey(client: HubClient, enrolment: StoredEnrolment): Promise<StoredEnrolment> {
      const current = await readServerKeyPair({ config })
      if (current.kid === enrolment.keyId) return enrolment
      const { serverId, hubBaseUrl, keyId } = enrolment
      const signer = await readServerKeyPair({ config }, { kid: keyId })
      const input = { audience: hubBaseUrl, subject: serverId, nowSeconds: nextProofSeconds() }
      const proof = await signKeyProof(signer, { purpose: 'keys', newKeys: [publicKeyHash(current)], ...input })
      await client.replaceKeys({ serverId, keys: [publicJwk(current)], proof })
      return store(enrolment, { keyId: current.kid })
    },
  }

  /** A pairing that a command has ended or replaced in the meantime is not restored. */
  function store(before: StoredEnrolment, change: Partial<StoredEnrolment>): StoredEnrolment {
    const after = { ...before, ...change }
    if (readEnrolment({ config })?.serverId === before.serverId) writeEnrolment({ config }, after)
    return after
  }
}
