import { verifyKeyProof, parsePublicKeys, publicKeyHash } from '../../hub-protocol/index.ts'
import { isRowId, type Connection, type Database } from '../../platform/database/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { hubErrors } from '../errors.ts'
import type { SigningKeys } from '../keys/signing-keys.ts'
import { insertAudit } from '../queries/audit.ts'
import { publishEvent } from '../queries/events.ts'
import { findServer, incrementGeneration, acceptProofOnce, updatePublicKeys } from '../queries/servers.ts'
import type { HubServer } from '../hub-server.ts'
import { issueEnrolment } from './enrolment.ts'

type Dependencies = { db: Database; clock: Clock; signingKeys: SigningKeys }

/**
 * Renews the enrolment of a home server, which authenticates with its key instead of its token. All older tokens become invalid, even stolen
 * ones. The tunnels that they have opened accept no new requests and close. An expired token does not prevent a renewal.
 * @throws AppError `AUTHORIZATION_FAILED` also for a proof that was used before, and for a server that is disabled or never proved its key
 */
export async function renewEnrolment(
  needs: Dependencies,
  {
    serverId,
    proof,
    hubOrigin,
    clientAddress,
  }: { serverId: string; proof: string; hubOrigin: string; clientAddress: string },
): Promise<string> {
  const server = await requireServer(needs.db, serverId)
  const input = { purpose: 'renewal', audience: hubOrigin, subject: serverId, now: needs.clock.now() } as const
  const read = await verifyKeyProof(proof, { keys: server.publicKeys, ...input })
  if (read === undefined) throw hubErrors.proof_refused()
  const generation = await needs.db.transaction(async (connection) => {
    await acceptOnce(connection, serverId, read.issuedAt)
    const next = await incrementGeneration(connection, server.id)
    await writeEntry(connection, 'server.renewed', { server, clientAddress, now: input.now })
    await publishEvent(connection, { kind: 'server_renewed', serverId: server.id, generation: next })
    return next
  })
  return issueEnrolment(needs, { serverId: server.id, generation, hubOrigin })
}

/**
 * Replaces the keys of a home server after their rotation. The proof is signed with a key that the hub knows and contains the new keys.
 * @throws AppError `SERVER_KEY_INVALID`, `AUTHORIZATION_FAILED`
 */
export async function replaceServerKeys(
  { db, clock }: Omit<Dependencies, 'signingKeys'>,
  input: { serverId: string; publicKeys: unknown; proof: string; hubOrigin: string; clientAddress: string },
): Promise<void> {
  const server = await requireServer(db, input.serverId)
  const publicKeys = parsePublicKeys(input.publicKeys)
  if (publicKeys === undefined) throw hubErrors.server_key_invalid()
  const now = clock.now()
  const expected = { purpose: 'keys', audience: input.hubOrigin, subject: input.serverId, now } as const
  const read = await verifyKeyProof(input.proof, { keys: server.publicKeys, ...expected })
  const named = publicKeys.map(publicKeyHash)
  if (read === undefined || read.newKeys.join() !== named.join()) throw hubErrors.proof_refused()
  await db.transaction(async (connection) => {
    await acceptOnce(connection, input.serverId, read.issuedAt)
    await updatePublicKeys(connection, { id: input.serverId, publicKeys, keyThumbprint: named[0] ?? '' })
    await writeEntry(connection, 'server.key_changed', { server, clientAddress: input.clientAddress, now })
  })
}

async function requireServer(db: Database, serverId: string): Promise<HubServer> {
  const server = isRowId(serverId) ? await findServer(db, serverId) : undefined
  if (server === undefined) throw hubErrors.proof_refused()
  return server
}

async function acceptOnce(connection: Connection, id: string, issuedAt: number): Promise<void> {
  if (!(await acceptProofOnce(connection, { id, issuedAt }))) throw hubErrors.proof_refused()
}

type About = { server: HubServer; clientAddress: string; now: Date }

function writeEntry(connection: Connection, action: string, { server, clientAddress, now }: About): Promise<void> {
  const { id: serverId, name } = server
  return insertAudit(connection, {
    action,
    actor: `server ${name}`,
    target: name,
    serverId,
    address: clientAddress,
    now,
  })
}
