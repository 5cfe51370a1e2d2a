import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

export const DeviceParameters = Type.Object({ id: Type.String(), deviceId: Type.String() })

export const DeviceList = Type.Object({
  devices: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      type: Type.String(),
      address: Nullable(Type.String()),
      last_used_at: Type.String(),
      created_at: Type.String(),
      is_current: Type.Boolean(),
    }),
  ),
})

export const RevokedDevices = Type.Object({ message: Type.String(), revoked: Type.Integer() })
