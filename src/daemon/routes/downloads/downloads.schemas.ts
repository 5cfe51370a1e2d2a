import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

/** The id of a rung of the quality ladder; `rung` is another name of it. Absent: the original file. */
export const QualityQuery = Type.Object({
  quality: Type.Optional(Type.String({ maxLength: 32 })),
  rung: Type.Optional(Type.String({ maxLength: 32 })),
})

/** A converted file. */
export const ConvertedDownload = Type.Object({
  id: Type.String(),
  media_item_id: Type.String(),
  quality: Type.String(),
  /** `waiting`, `running`, `ready` or `failed`. */
  status: Type.String(),
  /** 0 to 100. */
  progress: Type.Integer(),
  size_bytes: Nullable(Type.Integer()),
  /** The code of the error; null unless it failed. */
  failure: Nullable(Type.String()),
  /** Null until it is ready. */
  url: Nullable(Type.String()),
})

/** The original file, of which the reply contains only the address, or a converted file. */
export const AnyDownload = Type.Object({
  ...Type.Partial(ConvertedDownload).properties,
  url: Nullable(Type.String()),
})

export const DownloadFileParameters = Type.Object({ id: Type.String(), quality: Type.String() })
