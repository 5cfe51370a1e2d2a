import { Type } from 'typebox'

/** A width in pixels, also as `w500`, or `original` for the largest that is made; `exp` and `sig` are the guard's. */
export const ArtworkQuery = Type.Object({
  size: Type.Optional(Type.String({ pattern: '^(?:w?[0-9]{1,6}|original)$' })),
})
