import { Type } from 'typebox'
import { Nullable, PageQuery } from '../../http/schemas.ts'

/** The domain validates the fields, because the API fixes the error codes. Existing clients send `tmdb_id` instead of `catalog_id`. */
export const MediaRequestBody = Type.Object({
  type: Type.Optional(Type.Unknown()),
  catalog_id: Type.Optional(Type.Unknown()),
  tmdb_id: Type.Optional(Type.Unknown()),
  title: Type.Optional(Type.Unknown()),
  poster_url: Type.Optional(Type.Unknown()),
  season: Type.Optional(Type.Unknown()),
  episode: Type.Optional(Type.Unknown()),
})

/** The domain validates the field. */
export const DenialBody = Type.Object({ reason: Type.Optional(Type.Unknown()) })

export const RequestListQuery = Type.Object({ ...PageQuery.properties, status: Type.Optional(Type.String()) })

const NullableText = Nullable(Type.String())
const NullableWhole = Nullable(Type.Integer())

export const RequestRow = Type.Object({
  id: Type.String(),
  user_id: Type.String(),
  type: Type.String(),
  catalog_id: Type.Integer(),
  tmdb_id: Type.Integer(),
  title: Type.String(),
  poster_url: NullableText,
  season: NullableWhole,
  episode: NullableWhole,
  status: Type.String(),
  rejection_reason: NullableText,
  created_at: Type.String(),
  updated_at: Type.String(),
})

export const SubmittedRequest = Type.Object({ request: RequestRow, message: Type.String() })

export const OneRequest = Type.Object({ request: RequestRow })

export const RequestList = Type.Object({ requests: Type.Array(RequestRow), count: Type.Integer() })

export const DecidedRequest = Type.Object({ message: Type.String(), request_id: Type.String() })
