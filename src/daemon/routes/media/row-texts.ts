import { Type, type TArray, type TObject } from 'typebox'
import { createAttachedValue } from '../../../core/platform/cache/index.ts'
import { createSerializer } from '../../http/send-in-batches.ts'
import { MediaItemRow } from './media.schemas.ts'
import type { MediaRow } from './media.view.ts'

type List = { items: readonly MediaRow[] } & Record<string, unknown>

/** The JSON texts of rows. Most rows were sent before, and serializing them again would cost more than the rest of the response. */
export type RowTexts = {
  /** Serializes a row to JSON; cached by row object. */
  textOf: (row: MediaRow) => string
  /** A row with additional keys of one list. No additional key may also be a key of the row. */
  extend: <More extends object>(row: MediaRow, more: More) => MediaRow & More
  /** The `serializerCompiler` of routes whose `items` are plain rows or rows of `extend`. */
  compileList: (route: { schema: unknown }) => (list: List) => string
}

/** Creates a cache of texts. A text is released with its row. */
export function createRowTexts(): RowTexts {
  const serializeRow = createSerializer(MediaItemRow)
  const texts = createAttachedValue<MediaRow, string>()
  /** The plain row inside an extended row. */
  const plainRows = createAttachedValue<object, MediaRow>()

  function textOf(row: MediaRow): string {
    const known = texts.get(row)
    if (known !== undefined) return known
    const text = serializeRow(row)
    texts.set(row, text)
    return text
  }

  return {
    textOf,
    extend(row, more) {
      const whole = { ...row, ...more }
      plainRows.set(whole, row)
      return whole
    },
    compileList({ schema }) {
      const { serializeMore, serializeOthers } = serializersBeside(schema)
      const textOfItem = (item: MediaRow): string => {
        const row = plainRows.get(item)
        return row === undefined ? textOf(item) : joined(textOf(row), serializeMore(item))
      }
      return (list) => joined(`{"items":[${list.items.map(textOfItem).join()}]}`, serializeOthers(list))
    },
  }
}

/** Serializers of the keys of a list except its items, and of the keys of an item that are not in a row. */
function serializersBeside(schema: unknown) {
  // The type refers to the schema of the whole route; Fastify passes the schema of the response.
  const { items, ...others } = (schema as TObject<{ items: TArray<TObject> }>).properties
  const more = Object.entries(items.items.properties).filter(([key]) => !Object.hasOwn(MediaItemRow.properties, key))
  return {
    serializeOthers: createSerializer(Type.Object(others)),
    serializeMore: createSerializer(Type.Object(Object.fromEntries(more))),
  }
}

/** Merges two JSON objects; the first is not empty. */
function joined(first: string, second: string): string {
  return second === '{}' ? first : `${first.slice(0, -1)},${second.slice(1)}`
}
