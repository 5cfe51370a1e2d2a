import { Type } from 'typebox'

const ExtraRow = Type.Object({
  id: Type.String(),
  media_item_id: Type.String(),
  title: Type.String(),
  type: Type.String(),
  /** `local` or `remote`. */
  source: Type.String(),
  url: Type.String(),
  /** Seconds; 0 if unknown. */
  duration: Type.Integer(),
  quality: Type.Integer(),
  is_local: Type.Boolean(),
  /** Empty for an extra at a provider. */
  file_path: Type.String(),
})

export const ExtraList = Type.Object({ extras: Type.Array(ExtraRow), count: Type.Integer() })

export const TrailerList = Type.Object({ trailers: Type.Array(ExtraRow), count: Type.Integer() })
