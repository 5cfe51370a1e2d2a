import { Type, type Static, type TSchema } from 'typebox'

/** A nullable schema, in the only form that the serializer compiles to straight-line code. */
export function Nullable<Schema extends TSchema & { type?: string }>(schema: Schema) {
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] })
}

/** The `{id}` path parameter. Any text is accepted here, because a malformed id is answered with 404 and not with 400. */
export const IdParameters = Type.Object({ id: Type.String() })

/** A JSON object with arbitrary keys. */
export const FreeObject = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

/** A reply that consists of a message. */
export const MessageReply = Type.Object({ message: Type.String() })

/** `address`: where the browser ends the session at the OpenID provider. */
export const SignedOutReply = Type.Object({ message: Type.String(), address: Nullable(Type.String()) })

/** Any integer. The bounds exclude Infinity, the value that `1e400` is parsed to. */
export const QueryInteger = Type.Integer({ minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE })

/** Query parameters of a signed URL, for routes whose replies contain URLs with the same signature. The guard verifies them. */
export const SignatureQuery = Type.Object({ exp: Type.Optional(Type.Unknown()), sig: Type.Optional(Type.Unknown()) })

/** `limit` and `offset` of a list. The domain clamps them. */
export const PageQuery = Type.Object({ limit: Type.Optional(QueryInteger), offset: Type.Optional(QueryInteger) })
