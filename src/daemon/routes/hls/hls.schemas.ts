import { Type } from 'typebox'
import { SignatureQuery } from '../../http/schemas.ts'

export const HlsFileParameters = Type.Object({ jobId: Type.String(), file: Type.String() })

export const PlaylistPointer = Type.Object({ playlist_url: Type.String() })

export const ManifestPointer = Type.Object({ manifest_url: Type.String() })

/** The subtitle track to mark as default. A number that is not a track of the job marks none. */
export const HlsFileQuery = Type.Object({
  ...SignatureQuery.properties,
  sub: Type.Optional(Type.Integer({ minimum: 0, maximum: 9999 })),
})
