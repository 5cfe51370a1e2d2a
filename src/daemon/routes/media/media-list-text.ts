import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import { Type, type Static, type TObject } from 'typebox'
import { MediaItemRow } from './media.schemas.ts'

type Row = Static<typeof MediaItemRow>
type List = { items: readonly Row[] }

const compile = SerializerSelector()()
const serializeRow = serializerOf<Row>(MediaItemRow)

/** A row is the same object in list after list as long as nothing in it changes (`mediaRows`); its text goes with it. */
const texts = new WeakMap<Row, string>()

/**
 * The `serializerCompiler` of routes whose list of `items` holds rows and nothing beside them. Most rows have been sent before, and
 * making their texts anew costs more than all else of such an answer.
 */
export function compileMediaList({ schema }: { schema: unknown }): (list: List) => string {
  // Fastify's types name the whole schema of the route; what it gives is that of the answer.
  const { items: _items, ...others } = (schema as TObject).properties
  const serializeOthers = serializerOf<object>(Type.Object(others))
  return (list: List) => `{"items":[${list.items.map(textOf).join()}],${serializeOthers(list).slice(1)}`
}

function textOf(row: Row): string {
  const known = texts.get(row)
  if (known !== undefined) return known
  const text = serializeRow(row)
  texts.set(row, text)
  return text
}

function serializerOf<Value>(schema: TObject): (value: Value) => string {
  return compile({ schema, method: '', url: '', httpStatus: '' })
}
