import { Type } from 'typebox'
import { FreeObject, Nullable } from '../../http/schemas.ts'
import { MediaItemRow } from '../media/media.schemas.ts'

const Unvalidated = Type.Optional(Type.Unknown())

/** The domain validates the fields, because clients read its messages. */
export const CollectionBody = Type.Object({
  name: Unvalidated,
  library_id: Unvalidated,
  smart_playlist_id: Unvalidated,
  parent_id: Unvalidated,
  sort_order: Unvalidated,
})

export const CollectionChangesBody = Type.Object({
  name: Unvalidated,
  smart_playlist_id: Unvalidated,
  parent_id: Unvalidated,
  sort_order: Unvalidated,
  media_item_ids: Unvalidated,
})

export const PlaylistBody = Type.Object({ name: Unvalidated, library_id: Unvalidated, media_id: Unvalidated })

/** The body with which the web client adds an item to a playlist. */
export const PlaylistItemBody = Type.Object({ media_id: Type.String() })

export const ItemsBody = Type.Object({ media_item_ids: Unvalidated, query: Unvalidated })

export const CollectionItemParameters = Type.Object({ id: Type.String(), itemId: Type.String() })

export const CollectionRow = Type.Object({
  id: Type.String(),
  name: Type.String(),
  library_id: Type.String(),
  smart_playlist_id: Nullable(Type.String()),
  parent_id: Nullable(Type.String()),
  sort_order: Type.Integer(),
  is_smart: Type.Boolean(),
  item_count: Type.Integer(),
  created_at: Type.String(),
  updated_at: Type.String(),
})

export const OneCollection = Type.Object({ collection: CollectionRow })

export const CollectionList = Type.Object({ collections: Type.Array(CollectionRow) })

export const CollectionItem = Type.Object({ ...MediaItemRow.properties, metadata: FreeObject })

export const CollectionContent = Type.Object({
  collection: CollectionRow,
  items: Type.Array(CollectionItem),
  total: Type.Integer(),
})

export const AddedItems = Type.Object({ message: Type.String(), added_count: Type.Integer() })
