import { Type, type TProperties, type TSchema } from 'typebox'

/** The parts that the schemas of results are made of. Objects have exactly the named keys. */

export const string = Type.String()
export const boolean = Type.Boolean()
export const nonNegativeInteger = Type.Integer({ minimum: 0 })
export const integer = Type.Integer()
export const number = Type.Number()
/** ISO 8601 in UTC. */
export const timestamp = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' })
export const strings = Type.Array(string)
/** An object whose keys are data. */
export const freeObject = Type.Record(string, Type.Unknown())

export function object<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false })
}

export function orNull<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

export function arrayOf<Schema extends TSchema>(schema: Schema) {
  return Type.Array(schema)
}

export function optional<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(schema)
}

export function stringEnum<Word extends string>(...words: Word[]) {
  return Type.Union(words.map((word) => Type.Literal(word)))
}

/** The result of a command that removes repeated rows. */
export const repeatedRows = {
  dry_run: boolean,
  found: nonNegativeInteger,
  removed: nonNegativeInteger,
  key_added: boolean,
  has_key: boolean,
}
