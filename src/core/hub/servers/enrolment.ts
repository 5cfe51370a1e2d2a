import { ENROLMENT_SECONDS, SERVER_AUDIENCE } from '../../hub-protocol/index.ts'
import { isRowId, type Connection } from '../../platform/database/index.ts'
import { hubErrors } from '../errors.ts'
import type { SigningKeys } from '../keys/signing-keys.ts'
import { findEnrolmentGeneration } from '../queries/servers.ts'
import type { AuthenticatedServer, EnrolledServer } from '../relay-directory.ts'

type Dependencies = { db: Connection; signingKeys: SigningKeys }

const BEARER = /^bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i
const MAX_HEADER_LENGTH = 4096

/** Issues the token with which a home server authenticates at the hub. */
export async function issueEnrolment(
  { signingKeys }: Pick<Dependencies, 'signingKeys'>,
  { serverId, generation, hubOrigin }: AuthenticatedServer & { hubOrigin: string },
): Promise<string> {
  const claims = { sub: serverId, type: 'enrollment', server_id: serverId, hub_base_url: hubOrigin, gen: generation }
  return signingKeys.sign(claims, { audience: SERVER_AUDIENCE, lifetimeSeconds: ENROLMENT_SECONDS })
}

/**
 * Reads the `Authorization` header of a home server: signature, times and claims, but not whether the token has been replaced since.
 * @throws AppError `UNAUTHENTICATED`, `ENROLLMENT_TOKEN_EXPIRED`
 */
export async function readEnrolmentToken(
  { signingKeys }: Pick<Dependencies, 'signingKeys'>,
  authorization: string | undefined,
): Promise<EnrolledServer> {
  const isShort = authorization !== undefined && authorization.length <= MAX_HEADER_LENGTH
  const token = isShort ? BEARER.exec(authorization)?.[1] : undefined
  if (token === undefined) throw hubErrors.enrolment_refused()
  const verdict = await signingKeys.verify(token, { audience: SERVER_AUDIENCE })
  if ('problem' in verdict) {
    throw verdict.problem === 'expired' ? hubErrors.enrolment_expired() : hubErrors.enrolment_refused()
  }
  const { sub: serverId, type, gen: generation, exp = 0 } = verdict.payload
  if (type !== 'enrollment' || !isRowId(serverId) || typeof generation !== 'number') throw hubErrors.enrolment_refused()
  return { serverId, generation, expiresAt: new Date(exp * 1000) }
}

/**
 * The same, and whether the token is still valid.
 * @throws AppError `UNAUTHENTICATED` also for a server that was disabled, removed or paired again; `ENROLLMENT_TOKEN_EXPIRED`
 */
export async function authenticateServer(
  { db, signingKeys }: Dependencies,
  authorization: string | undefined,
): Promise<EnrolledServer> {
  const read = await readEnrolmentToken({ signingKeys }, authorization)
  if ((await findEnrolmentGeneration(db, read.serverId)) !== read.generation) throw hubErrors.enrolment_refused()
  return read
}
