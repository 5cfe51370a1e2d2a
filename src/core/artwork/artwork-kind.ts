/** What a picture is to the thing that it shows. */
export const ARTWORK_KINDS = ['poster', 'backdrop', 'logo', 'still', 'profile', 'cover'] as const

/** `still`: a picture out of an episode; `profile`: a person; `cover`: music and books. */
export type ArtworkKind = (typeof ARTWORK_KINDS)[number]
