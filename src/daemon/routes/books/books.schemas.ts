import { Type } from 'typebox'
import { FreeObject, Nullable, PageQuery } from '../../http/schemas.ts'

const NullableText = Nullable(Type.String())

export const BookListQuery = Type.Object({ ...PageQuery.properties, library_id: Type.Optional(Type.String()) })

const BookKeys = {
  id: Type.String(),
  library_id: Type.String(),
  name: Type.String(),
  type: Type.Literal('book'),
  year: Nullable(Type.Integer()),
  path: Type.String(),
  /** File extension without dot. */
  format: Type.String(),
  size_bytes: Type.Integer(),
  metadata: FreeObject,
  cover_url: NullableText,
  read_url: Type.String(),
  download_url: Type.String(),
}

export const BookRow = Type.Object(BookKeys)

export const BookList = Type.Object({
  books: Type.Array(BookRow),
  limit: Type.Integer(),
  offset: Type.Integer(),
})

const Format = Type.Object({
  id: Type.String(),
  format: Type.String(),
  size_bytes: Type.Integer(),
  download_url: Type.String(),
})

const BookFull = Type.Object({ ...BookKeys, formats: Type.Array(Format) })

export const OneBook = Type.Object({ book: BookFull })

const MAX_PAGES = 1_000_000_000
const Pages = Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_PAGES }))

/** Without control characters and halves of surrogate pairs, which the database cannot store as they are. */
const Locator = Type.String({ maxLength: 2000, pattern: '^[^\\p{Cc}\\p{Cs}]+$' })

/** A page, a percentage or a position is required. A locator alone would leave the progress unknown. */
export const SavePlaceBody = Type.Object(
  {
    position_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    current_page: Pages,
    total_pages: Pages,
    percent_complete: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
    locator: Type.Optional(Locator),
  },
  { anyOf: ['current_page', 'percent_complete', 'position_ms'].map((name) => ({ required: [name] })) },
)

const PlaceObject = Type.Object({
  book_id: Type.String(),
  user_id: Type.String(),
  position_ms: Type.Integer(),
  current_page: Type.Integer(),
  total_pages: Type.Integer(),
  percent_complete: Type.Number(),
  locator: NullableText,
  /** Unix seconds. */
  last_read_at: Type.Integer(),
})

/** Same as for audiobooks: the keys at the top level, and again under `progress`. */
export const ReadingProgress = Type.Object({ ...PlaceObject.properties, progress: PlaceObject })

export const SavedPlace = Type.Object({
  ok: Type.Boolean(),
  percent_complete: Type.Number(),
  message: Type.String(),
  progress: PlaceObject,
})

export const ReadBook = Type.Object({
  book: BookFull,
  /** Always empty: tables of contents are not read. */
  chapters: Type.Array(FreeObject),
  current_page: Type.Integer(),
  total_pages: Type.Integer(),
  progress: Nullable(PlaceObject),
})
