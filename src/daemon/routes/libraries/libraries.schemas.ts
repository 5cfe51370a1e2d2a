import { Type } from 'typebox'
import { FreeObject, PageQuery } from '../../http/schemas.ts'
import { IncludeQuery } from '../media/media.schemas.ts'

/** Clients send `path` or `paths`, and `autoCollections` in two forms and two places. The domain parses and validates them. */
const LibraryFields = {
  name: Type.Optional(Type.Unknown()),
  type: Type.Optional(Type.Unknown()),
  path: Type.Optional(Type.Unknown()),
  paths: Type.Optional(Type.Unknown()),
  options: Type.Optional(Type.Unknown()),
  autoCollections: Type.Optional(Type.Unknown()),
  series_per_directory: Type.Optional(Type.Unknown()),
  metadata_priority: Type.Optional(Type.Unknown()),
  image_types: Type.Optional(Type.Unknown()),
}

export const CreateLibraryBody = Type.Object({
  ...LibraryFields,
  /** False: the first scan is not queued. */
  scan: Type.Optional(Type.Boolean()),
})

/** The fields of a new library, and the position in lists. */
export const UpdateLibraryBody = Type.Object({
  ...LibraryFields,
  display_order: Type.Optional(Type.Unknown()),
})

/** `type` filters the items. */
export const LibraryItemsQuery = Type.Object({
  ...PageQuery.properties,
  ...IncludeQuery.properties,
  type: Type.Optional(Type.String()),
})

export const LibraryRow = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  path: Type.String(),
  paths: Type.Array(Type.String()),
  options: FreeObject,
  item_count: Type.Integer(),
  display_order: Type.Integer(),
  auto_collections: Type.Object({ enabled: Type.Boolean() }),
  created_at: Type.String(),
  updated_at: Type.String(),
})

export const LibraryList = Type.Object({ libraries: Type.Array(LibraryRow) })

export const OneLibrary = Type.Object({ library: LibraryRow })

/** `job_id` of the scan for added folders. */
export const UpdatedLibrary = Type.Object({
  library: LibraryRow,
  job_id: Type.Optional(Type.String()),
  message: Type.String(),
})

/** The created library; `job_id` is absent if the request excluded the first scan. */
export const CreatedLibrary = Type.Object({
  id: Type.String(),
  library_id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  path: Type.String(),
  paths: Type.Array(Type.String()),
  job_id: Type.Optional(Type.String()),
  status: Type.String(),
  message: Type.String(),
})
