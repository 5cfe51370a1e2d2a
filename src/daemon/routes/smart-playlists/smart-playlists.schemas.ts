import { Type } from 'typebox'
import { FreeObject } from '../../http/schemas.ts'
import { MediaItemRow } from '../media/media.schemas.ts'

const Unvalidated = Type.Optional(Type.Unknown())

/** The domain validates the fields, because clients read its messages. `rules_json` is JSON text or the rule tree itself. */
export const SmartPlaylistBody = Type.Object({
  name: Unvalidated,
  library_id: Unvalidated,
  rules_json: Unvalidated,
  limit: Unvalidated,
  sort_by: Unvalidated,
  sort_desc: Unvalidated,
})

export const PreviewBody = Type.Object({
  rules_json: Unvalidated,
  limit: Unvalidated,
  sort_by: Unvalidated,
  sort_desc: Unvalidated,
})

export const SmartPlaylistRow = Type.Object({
  id: Type.String(),
  name: Type.String(),
  library_id: Type.String(),
  rules_json: FreeObject,
  limit: Type.Integer(),
  sort_by: Type.String(),
  sort_desc: Type.Boolean(),
  created_at: Type.String(),
  updated_at: Type.String(),
})

export const SmartPlaylistList = Type.Object({ smart_playlists: Type.Array(SmartPlaylistRow) })

export const Preview = Type.Object({
  playlist_id: Type.String(),
  matched_count: Type.Integer(),
  items: Type.Array(MediaItemRow),
})
