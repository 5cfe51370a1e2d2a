import { Type, type Static } from 'typebox'
import { readAgeLimit } from '../../../core/access/index.ts'
import type { AccessChanges } from '../../../core/accounts/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import { httpErrors } from '../../errors.ts'
import { Nullable } from '../../http/schemas.ts'

/**
 * Limits of what an account may see. Absent ones stay; null removes one, and so does an empty list of tags. `max_rating` is a content rating instead of an age.
 */
export const AccessBody = Type.Object({
  library_ids: Type.Optional(Nullable(Type.Array(Type.String(), { maxItems: 10_000 }))),
  max_age: Type.Optional(Nullable(Type.Integer())),
  max_rating: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
  allow_unrated: Type.Optional(Type.Boolean()),
  blocked_tags: Type.Optional(Type.Array(Type.String(), { maxItems: 500 })),
  allowed_tags: Type.Optional(Type.Array(Type.String(), { maxItems: 500 })),
})

/** @throws AppError `invalid_request`, `invalid_access` */
export async function readAccessChanges(
  { db, config }: Pick<SigningServices, 'db' | 'config'>,
  body: Static<typeof AccessBody>,
): Promise<AccessChanges> {
  const { library_ids: libraryIds, max_age: maxAge, max_rating: rating, allow_unrated: allowsUnrated } = body
  const { blocked_tags: blockedTags, allowed_tags: allowedTags } = body
  if (maxAge !== undefined && rating !== undefined) {
    throw httpErrors.invalid_request({ message: 'max_age and max_rating exclude each other' })
  }
  const country = config.options['metadata.country']
  const age = rating === undefined ? maxAge : await readAgeLimit(db, { text: rating, country })
  return {
    ...(libraryIds !== undefined && { libraryIds }),
    ...(age !== undefined && { maxAge: age }),
    ...(allowsUnrated !== undefined && { allowsUnrated }),
    ...(blockedTags !== undefined && { blockedTags }),
    ...(allowedTags !== undefined && { allowedTags: allowedTags.length === 0 ? [] : [allowedTags] }),
  }
}
