import { createHash, randomBytes } from 'node:crypto'
import {
  CLAIM_CODE_SECONDS,
  generateClaimCode,
  normalizeClaimCode,
  verifyKeyProof,
  parsePublicKeys,
  publicKeyHash,
  type KnownKey,
} from '../../hub-protocol/index.ts'
import type { Connection, Database } from '../../platform/database/index.ts'
import { countHit, rateLimitedError } from '../../platform/rate-limits/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { hubErrors } from '../errors.ts'
import type { SigningKeys } from '../keys/signing-keys.ts'
import { insertAudit } from '../queries/audit.ts'
import {
  deleteExpiredClaims,
  insertClaim,
  lockClaim,
  lockClaimByCode,
  markClaimed,
  markDelivered,
  deleteOpenClaim,
  type Claim,
} from '../queries/claims.ts'
import { publishEvent } from '../queries/events.ts'
import { countServersOfUser, findEnrolmentGeneration, upsertServer } from '../queries/servers.ts'
import { issueEnrolment } from '../servers/enrolment.ts'
import type { HubCaller } from '../users/hub-sessions.ts'

type Dependencies = { db: Database; clock: Clock; signingKeys: SigningKeys }

const CLAIM_ID_BYTES = 32
const MAX_CLAIM_ID_LENGTH = 100
const MAX_SERVERS = 50
/** Maximum number of confirmations by one user in ten minutes, including wrong codes. A code has 40 bits. */
const CONFIRMATIONS = { surface: 'hub_claim_user', windowSeconds: 600, max: 10 } as const

/** What a home server has received once its claim is confirmed. */
export type EnrolmentMaterial = { serverId: string; enrolmentJwt: string }

/**
 * Opens a claim for a home server, which is anonymous until a user confirms its code. A server that proves its key again while its code is
 * valid gets the same code. The id is the secret of the claim; it is new each time.
 * @throws AppError `SERVER_KEY_INVALID`
 */
export async function openClaim(
  { db, clock }: Dependencies,
  input: {
    serverName: string
    version: string
    /** A key set (RFC 7517), as sent. */
    publicKeys: unknown
    /** A proof of the first key; see `signKeyProof`. */
    proof?: string | undefined
    hostnameCandidates: readonly string[]
    hubOrigin: string
  },
): Promise<{ code: string; claimId: string; expiresInSeconds: number }> {
  const publicKeys = parsePublicKeys(input.publicKeys)
  const newest = publicKeys?.[0]
  if (publicKeys === undefined || newest === undefined) throw hubErrors.server_key_invalid()
  const isKeyProven = input.proof !== undefined
  if (isKeyProven) await requireProof(input.proof ?? '', newest, { audience: input.hubOrigin, now: clock.now() })
  const claimId = randomBytes(CLAIM_ID_BYTES).toString('base64url')
  const row = {
    idDigest: digestOf(claimId),
    serverName: input.serverName,
    version: input.version,
    publicKeys,
    isKeyProven,
    keyThumbprint: publicKeyHash(newest),
    hostnameCandidates: [...input.hostnameCandidates],
    now: clock.now(),
  }
  return db.transaction(async (connection) => {
    const { code, expiresAt } = await insertWithCode(connection, row)
    const left = Math.max(1, Math.floor((expiresAt.getTime() - row.now.getTime()) / 1000))
    return { code, claimId, expiresInSeconds: left }
  })
}

async function requireProof(proof: string, key: KnownKey, at: { audience: string; now: Date }): Promise<void> {
  const input = { keys: [key], purpose: 'claim', subject: publicKeyHash(key), ...at } as const
  if ((await verifyKeyProof(proof, input)) === undefined) {
    const message = `The proof of the key is not for ${at.audience}, or the clocks differ by more than 5 minutes.`
    throw hubErrors.server_key_invalid({ message, hint: 'hub.public_url has to be the address that home servers use' })
  }
}

type NewRow = Omit<Parameters<typeof insertClaim>[1], 'code' | 'expiresAt'>

async function insertWithCode(connection: Connection, row: NewRow): Promise<{ code: string; expiresAt: Date }> {
  await deleteExpiredClaims(connection, new Date(row.now.getTime() - CLAIM_CODE_SECONDS * 1000))
  const open = row.isKeyProven ? await deleteOpenClaim(connection, row) : undefined
  let attempt = open ?? newCode(row.now)
  while (!(await insertClaim(connection, { ...row, ...attempt }))) attempt = newCode(row.now)
  return attempt
}

function newCode(now: Date): { code: string; expiresAt: Date } {
  return { code: generateClaimCode(), expiresAt: new Date(now.getTime() + CLAIM_CODE_SECONDS * 1000) }
}

/**
 * A user confirms the code that a home server shows, and becomes its owner. A server that was paired before gets its id again.
 * @returns the enrolment, which the home server can also fetch with its claim
 * @throws AppError `CLAIM_CODE_NOT_FOUND`, `CLAIM_CODE_EXPIRED`, `CLAIM_CODE_ALREADY_CLAIMED`, `rate_limited`, `too_many_servers`
 */
export async function confirmClaim(
  needs: Dependencies,
  { code, user, hubOrigin, clientAddress }: { code: string; user: HubCaller; hubOrigin: string; clientAddress: string },
): Promise<EnrolmentMaterial> {
  const { surface, windowSeconds, max } = CONFIRMATIONS
  const count = await countHit(needs, { surface, key: user.id, windowSeconds })
  if (count.hits > max) throw rateLimitedError(count.millisecondsLeft)
  const now = needs.clock.now()
  const paired = await needs.db.transaction(async (connection) => {
    const claim = await readOpenClaim(connection, code, now)
    if ((await countServersOfUser(connection, user.id)) >= MAX_SERVERS) throw hubErrors.too_many_servers()
    const row = { ...claim, keyThumbprint: rowIdentity(claim), ownerId: user.id, name: claim.serverName, now }
    const server = await upsertServer(connection, row)
    await markClaimed(connection, { idDigest: claim.idDigest, serverId: server.id, now })
    const about = { actor: user.username, target: row.name, userId: user.id, serverId: server.id }
    await insertAudit(connection, { action: 'server.paired', ...about, address: clientAddress, now })
    if (server.generation > 1) await publishEvent(connection, { kind: 'server_revoked', serverId: server.id })
    return { serverId: server.id, generation: server.generation }
  })
  return { serverId: paired.serverId, enrolmentJwt: await issueEnrolment(needs, { ...paired, hubOrigin }) }
}

/** Identifies the row of the server. A public key is not secret, so without a proof it does not select the row of an earlier pairing. */
function rowIdentity({ isKeyProven, keyThumbprint, idDigest }: Claim): string {
  return isKeyProven ? keyThumbprint : `unproven ${idDigest.toString('base64url')}`
}

async function readOpenClaim(connection: Connection, text: string, now: Date): Promise<Claim> {
  const code = normalizeClaimCode(text)
  const claim = code === undefined ? undefined : await lockClaimByCode(connection, code)
  if (claim === undefined) throw hubErrors.claim_not_found()
  if (claim.claimedAt !== null) throw hubErrors.claim_taken()
  if (claim.expiresAt <= now) throw hubErrors.claim_expired()
  return claim
}

/**
 * A home server polls whether its claim was confirmed. The enrolment is delivered once.
 * @returns undefined while it is not confirmed
 * @throws AppError `CLAIM_CODE_NOT_FOUND`, `CLAIM_CODE_EXPIRED`
 */
export async function fetchClaim(
  needs: Dependencies,
  { claimId, hubOrigin }: { claimId: string; hubOrigin: string },
): Promise<EnrolmentMaterial | undefined> {
  if (claimId.length > MAX_CLAIM_ID_LENGTH) throw hubErrors.claim_not_found()
  const now = needs.clock.now()
  const delivered = await needs.db.transaction(async (connection) => {
    const claim = await lockClaim(connection, digestOf(claimId))
    if (claim === undefined) throw hubErrors.claim_not_found()
    if (claim.deliveredAt !== null || claim.expiresAt <= now) throw hubErrors.claim_expired()
    if (claim.claimedAt === null || claim.serverId === null) return undefined
    await markDelivered(connection, claim.idDigest, now)
    return claim.serverId
  })
  if (delivered === undefined) return undefined
  const generation = await currentGeneration(needs.db, delivered)
  return {
    serverId: delivered,
    enrolmentJwt: await issueEnrolment(needs, { serverId: delivered, generation, hubOrigin }),
  }
}

async function currentGeneration(db: Database, serverId: string): Promise<number> {
  const generation = await findEnrolmentGeneration(db, serverId)
  if (generation === undefined) throw hubErrors.claim_not_found()
  return generation
}

function digestOf(claimId: string): Buffer {
  return createHash('sha256').update(claimId).digest()
}
