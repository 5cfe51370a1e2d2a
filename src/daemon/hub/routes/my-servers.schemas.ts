import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

const MyServer = Type.Object({
  serverId: Type.String(),
  userId: Type.String(),
  serverName: Type.String(),
  version: Type.String(),
  lastSeenAt: Nullable(Type.String()),
  status: Type.String(),
  hostnameCandidates: Type.Array(Type.String()),
  relayActive: Type.Boolean(),
  libraryCount: Type.Integer(),
})

export const MyServers = Type.Object({ servers: Type.Array(MyServer) })

export const AccessInfo = Type.Object({
  server_id: Type.String(),
  direct_url: Nullable(Type.String()),
  direct_urls: Type.Array(Type.String()),
  relay_url: Type.String(),
  relay_active: Type.Boolean(),
  candidates: Type.Array(Type.Object({ kind: Type.String(), url: Type.String() })),
  identity_path: Type.String(),
  public_keys: Type.Array(Type.Object({ kid: Type.String(), x: Type.String() })),
})

export const ServerToken = Type.Object({
  token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer(),
})

export const LibrariesQuery = Type.Object({ server_id: Type.Optional(Type.String()) })

export const Libraries = Type.Object({
  libraries: Type.Array(
    Type.Object({ server_id: Type.String(), library_id: Type.String(), library_name: Type.String() }),
  ),
})
