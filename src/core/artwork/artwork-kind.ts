/** The roles of a picture. */
export const ARTWORK_KINDS = ['poster', 'backdrop', 'logo', 'still', 'profile', 'cover'] as const

/** `still`: a frame of an episode; `profile`: a person; `cover`: music and books. */
export type ArtworkKind = (typeof ARTWORK_KINDS)[number]
