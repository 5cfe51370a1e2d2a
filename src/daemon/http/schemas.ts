import { Type, type Static, type TSchema } from 'typebox'

/** A schema that also lets null through, in the one form that the serializer turns into straight-line code. */
export function Nullable<Schema extends TSchema & { type?: string }>(schema: Schema) {
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] })
}

/** `{id}` of a path. Its form is judged by the domain: a malformed id is 404, not 400 (decisions 3.3, Ids). */
export const IdParameters = Type.Object({ id: Type.String() })

/** A JSON object with keys that we do not know. */
export const FreeObject = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

/** A reply that only says what happened. */
export const Message = Type.Object({ message: Type.String() })

/** Any whole number, of any size, but a number: `1e400` would be read as infinity. */
export const QueryInteger = Type.Integer({ minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE })

/** What a signed address carries, for routes that hand out addresses which end with it. The guard judges it. */
export const SignatureQuery = Type.Object({ exp: Type.Optional(Type.Unknown()), sig: Type.Optional(Type.Unknown()) })

/** `limit` and `offset` of a list: the domain clamps them. */
export const PageQuery = Type.Object({ limit: Type.Optional(QueryInteger), offset: Type.Optional(QueryInteger) })
