import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { readAgeLimit } from '../../../core/access/index.ts'
import { readLocalSignIn, type ProfileProof } from '../../../core/accounts/index.ts'
import { convertRankToAge, readProfileLimits, type Profile, type ProfileFields } from '../../../core/profiles/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import { profileView } from '../../../core/views/index.ts'
import { httpErrors } from '../../errors.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import { connectionClosedSignal } from '../../http/connection-closed-signal.ts'
import type { ProfileChangesBody } from './profiles.schemas.ts'

type Services = Pick<SigningServices, 'db' | 'config'>
type Body = Omit<Static<typeof ProfileChangesBody>, 'is_active' | 'current_pin' | 'password'>

/**
 * Reads what a client says about a profile.
 * @throws AppError `invalid_request` for several limits by age, `profile.invalid`, `invalid_access`
 */
export async function readFields(services: Services, body: Body): Promise<ProfileFields> {
  const { allow_unrated: allowsUnrated, library_ids: libraryIds } = body
  const maxAge = await readMaxAge(services, body)
  return {
    name: body.name,
    isKids: body.is_kids,
    avatar: body.avatar,
    asksPinForChanges: body.pin_required_for_admin,
    mayDownload: body.can_download,
    limits: {
      ...(maxAge !== undefined && { maxAge }),
      ...(allowsUnrated !== undefined && { allowsUnrated }),
      ...(libraryIds !== undefined && { libraryIds }),
    },
  }
}

/** The word `UNRATED` is the highest rank: no limit. */
async function readMaxAge({ db, config }: Services, body: Body): Promise<number | null | undefined> {
  const { rating, content_rating: word, max_age: maxAge } = body
  if ([rating, word, maxAge].filter((given) => given !== undefined).length > 1) {
    throw httpErrors.invalid_request({ message: 'rating, content_rating and max_age exclude each other' })
  }
  if (rating !== undefined) return rating === null ? null : convertRankToAge(rating)
  if (word === undefined) return maxAge
  if (word === null || word === '' || word.toUpperCase() === 'UNRATED') return null
  return readAgeLimit(db, { text: word, country: config.options['metadata.country'] })
}

/** What the client sent to show that the person may use or change a profile. */
export async function readProof(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  { pin, password }: { pin?: string | undefined; password?: string | undefined },
): Promise<ProfileProof> {
  const local = await readLocalSignIn(services, request.clientLocality)
  return { pin, password, clientAddress: request.clientAddress, local, signal: connectionClosedSignal(reply) }
}

/** Whether people of an account ask for a change, who name only what they see. An administrator sees, and may name, everything. */
export function isByAccount(request: FastifyRequest): boolean {
  return !signedInAccount(request).isAdmin
}

/** A row of a profile; `is_active` says whether it is the profile of the request. */
export async function profileRow({ db }: Pick<Services, 'db'>, profile: Profile, activeId: string | undefined) {
  return { ...profileView(profile, await readProfileLimits({ db }, profile)), is_active: profile.id === activeId }
}

/**
 * A row of a profile of the account that asks. A restricted profile is not told the limits of the others, which may name what is hidden from it:
 * they look like none.
 */
export async function ownProfileRow({ db }: Pick<Services, 'db'>, profile: Profile, request: FastifyRequest) {
  const { profile: current } = signedInAccount(request)
  const isShown = !current.isRestricted || current.id === profile.id
  return profileRow({ db }, isShown ? profile : { ...profile, policyId: null, mayDownload: true }, current.id)
}
