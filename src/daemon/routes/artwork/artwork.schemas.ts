import { Type } from 'typebox'

/** `size` is a width in pixels, also as `w500`, or `original` for the largest size. The guard reads `exp` and `sig`. */
export const ArtworkQuery = Type.Object({
  size: Type.Optional(Type.String({ pattern: '^(?:w?[0-9]{1,6}|original)$' })),
})
