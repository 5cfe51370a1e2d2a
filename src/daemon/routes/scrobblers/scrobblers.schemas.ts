import { Type } from 'typebox'
import { SCROBBLE_SERVICES } from '../../../core/scrobbling/index.ts'
import { Nullable } from '../../http/schemas.ts'

const connection = {
  id: Type.String(),
  user_id: Type.String(),
  service: Type.String(),
  service_username: Type.String(),
  failure_count: Type.Integer(),
  last_triggered_at: Nullable(Type.String()),
  created_at: Type.String(),
}

export const ServiceParameters = Type.Object({
  service: Type.Union(SCROBBLE_SERVICES.map((name) => Type.Literal(name))),
})

export const ServiceList = Type.Object({
  services: Type.Array(
    Type.Object({
      service: Type.String(),
      title: Type.String(),
      is_configured: Type.Boolean(),
      needs_token: Type.Boolean(),
      connection: Nullable(Type.Object({ ...connection, last_error: Nullable(Type.String()) })),
    }),
  ),
})

export const AuthorizationReply = Type.Object({
  url: Nullable(Type.String()),
  user_code: Nullable(Type.String()),
  code: Nullable(Type.String()),
  interval: Nullable(Type.Number()),
  expires_in: Nullable(Type.Number()),
})

export const ConnectBody = Type.Object({ code: Type.String({ minLength: 1, maxLength: 500 }) })

export const ConnectionReply = Type.Object({ connection: Type.Object(connection) })
