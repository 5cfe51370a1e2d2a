import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

export const CodeParameters = Type.Object({ code: Type.String() })

/** Existing clients of televisions send the names in camel case. */
export const InitiateBody = Type.Object({
  device_id: Type.Optional(Type.String()),
  device_name: Type.Optional(Type.String()),
  device_type: Type.Optional(Type.String()),
  deviceId: Type.Optional(Type.String()),
  deviceName: Type.Optional(Type.String()),
  deviceType: Type.Optional(Type.String()),
})

export const InitiatedDeviceCode = Type.Object({
  code: Type.String(),
  device_code: Type.String(),
  interval: Type.Integer(),
  expires_in: Type.Integer(),
  expires_at: Type.String(),
})

export const DeviceCodeStatus = Type.Object({
  status: Type.String(),
  interval: Type.Integer(),
  slow_down: Type.Boolean(),
})

/** `profile_id`: the profile that the device gets; absent: that of the person. A profile with a PIN needs it, or the password. */
export const ApproveBody = Type.Optional(
  Nullable(
    Type.Object({
      profile_id: Type.Optional(Nullable(Type.String())),
      pin: Type.Optional(Type.String()),
      password: Type.Optional(Type.String()),
    }),
  ),
)

export const TokenBody = Type.Object({ device_code: Type.Optional(Type.String()) })

export const WaitingDeviceReply = Type.Object({
  device: Type.Object({ name: Type.String(), type: Type.String(), address: Type.String() }),
  is_same_address: Type.Boolean(),
  expires_at: Type.String(),
})
