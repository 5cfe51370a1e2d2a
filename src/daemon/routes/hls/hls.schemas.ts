import { Type } from 'typebox'
import { SignatureQuery } from '../../http/schemas.ts'

/** The form of both is judged by the domain: what is not of it does not exist. */
export const JobParameters = Type.Object({ jobId: Type.String() })

export const HlsFileParameters = Type.Object({ jobId: Type.String(), file: Type.String() })

export const PlaylistPointer = Type.Object({ playlist_url: Type.String() })

export const ManifestPointer = Type.Object({ manifest_url: Type.String() })

/** The subtitle track that a player shows by itself; a number that is none of the job's tracks marks nothing. */
export const HlsFileQuery = Type.Object({
  ...SignatureQuery.properties,
  sub: Type.Optional(Type.Integer({ minimum: 0, maximum: 9999 })),
})
